// count FILE TEXT: prints how many lines of a file contain the text. Build: go build count.go
package main

// #cgo pkg-config: riffle
// #include <riffle.h>
// #include <stdlib.h>
import "C"

import (
	"bytes"
	"fmt"
	"os"
	"unsafe"
)

func main() {
	path := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(path))
	var failure C.riffle_error
	var lines *C.riffle_records
	var views [512]C.riffle_string
	var count C.size_t
	input := C.riffle_input_path(path)
	code := C.riffle_lines_open(input, nil, nil, &lines, &failure)
	C.riffle_input_close(&input)
	found := 0
	for code == C.RIFFLE_OK {
		code = C.riffle_records_next(lines, &views[0], C.size_t(len(views)), &count, &failure)
		if count == 0 {
			break
		}
		for _, view := range views[:count] {
			line := unsafe.Slice((*byte)(unsafe.Pointer(view.data)), int(view.size))
			if bytes.Contains(line, []byte(os.Args[2])) {
				found++
			}
		}
	}
	C.riffle_records_close(&lines)
	if code != C.RIFFLE_OK {
		fmt.Fprintln(os.Stderr, "count:", C.GoString(&failure.message[0]))
		os.Exit(1)
	}
	fmt.Println(found)
}
