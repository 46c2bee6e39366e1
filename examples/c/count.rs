// count FILE TEXT: prints how many lines of a file contain the text.
// Build: rustc -O count.rs -C link-args="$(pkg-config --libs riffle)"
use std::ffi::{c_char, c_void, CStr, CString};
use std::ptr::null;

#[repr(C)]
#[derive(Clone, Copy)]
struct View { data: *const u8, size: usize }
#[repr(C)]
struct Error { numbers: [i32; 4], offsets: [u64; 2], reserved: [u64; 4], message: [c_char; 1024] }
extern "C" {
    fn riffle_input_path(path: *const c_char) -> *mut c_void;
    fn riffle_input_close(input: *mut *mut c_void);
    fn riffle_lines_open(input: *const c_void, lines: *const c_void, reading: *const c_void,
                         opened: *mut *mut c_void, error: *mut Error) -> i32;
    fn riffle_records_next(records: *mut c_void, views: *mut View, capacity: usize, count: *mut usize,
                           error: *mut Error) -> i32;
    fn riffle_records_close(records: *mut *mut c_void);
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let path = CString::new(words[1].as_str()).unwrap();
    let mut views = [View { data: null(), size: 0 }; 512];
    let (mut lines, mut count, mut found) = (null::<c_void>() as *mut c_void, 0, 0);
    let mut error: Error = unsafe { std::mem::zeroed() };
    unsafe {
        let mut input = riffle_input_path(path.as_ptr());
        let mut code = riffle_lines_open(input, null(), null(), &mut lines, &mut error);
        riffle_input_close(&mut input);
        while code == 0 {
            code = riffle_records_next(lines, views.as_mut_ptr(), views.len(), &mut count, &mut error);
            if count == 0 { break; }
            for view in &views[..count] {
                let line = if view.size == 0 { &[] } else { std::slice::from_raw_parts(view.data, view.size) };
                found += line.windows(words[2].len()).any(|part| part == words[2].as_bytes()) as u64;
            }
        }
        riffle_records_close(&mut lines);
        if code != 0 {
            eprintln!("count: {}", CStr::from_ptr(error.message.as_ptr()).to_string_lossy());
            std::process::exit(1);
        }
    }
    println!("{found}");
}
