#!/usr/bin/env perl
# Compiles and runs every C++ snippet, and runs and compares every shell example, of one Markdown page.
#
# usage: snippets.pl PAGE WORK CXX FLAGS INCLUDE LIBRARIES RIFFLE
#
# FLAGS and LIBRARIES may hold several words. All snippets run in WORK/files, which samples.pl fills. There
# `riffle`, `c++` and `pkg-config riffle` mean this build. The language of a fenced block says what is done:
#
#   cpp      If its first line is `// last.cpp ...`, it is the file last.cpp. If a shell block of the page calls
#            ./last, it is compiled before; if one names last.cpp, that is left to it.
#            Else, if it has "int main", it is a program, and is run without arguments.
#            Else it is a fragment, the body of a function. All of a page are compiled as one program, and each
#            is run. `use(x)` takes anything and does nothing.
#   console  `$ ` starts a command. What follows is its output, of both streams; a line `...` stands for any
#            lines. A command may fail only if its output is shown.
#   sh       Commands without their output. All must succeed.
#   text     Data. Behind `<!-- prints -->` it is the output of the C++ block before.
#   c, rust, go, python
#            If its first line is `// last.rs ...` or `# last.py ...`, it is that file, which a shell block names.
#            Python without such a line: nothing; bindings/python/tests/test_docs.py runs it.
#   json     Data.
#
# Comments before a block change that:
#
#   <!-- not run: REASON -->             C++ is compiled only; anything else is left out
#   <!-- needs COMMAND -->               the commands are left out, visibly, if this machine lacks the command, or the
#                                        shared library of that name; with sanitizers and another machine too
#   <!-- output differs by machine -->   the commands must succeed, whatever they print
#
# Before a table stands:
#
#   <!-- each row prints the same -->    The first two cells of a row are commands, `\|` a pipe. Both must print the same
#                                        bytes. If the third cell says "`this` instead of `that`", they must differ: the
#                                        second command prints `this` and not `that`, the first one `that`. For `this`,
#                                        "an empty line" may stand.
#
# Any other block fails the test. So does a command in an indented block: fence it.
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use File::Spec;
use lib dirname(__FILE__) . '/../support';
use console;

my ($page, $work, $cxx, $flags, $include, $libraries, $riffle) = @ARGV;
chomp($cxx = `command -v '$cxx'`);  # `c++` will mean a script that calls it
$cxx = "env PATH='$ENV{PATH}' $cxx";  # ccache looks for the compiler in PATH, and is not to find the script
$work = File::Spec->rel2abs($work);
my $files = "$work/files";
my $compile = "$cxx -std=c++20 -pthread $flags -Wall -Wextra -Wconversion -Werror -I'$include'";
my $name = basename($page);
my ($failures, %count) = (0);
my $rows_mark = 'each row prints the same';

sub fail {
  my ($line, $message) = @_;
  print "$name:$line: $message\n";
  $failures++;
}

sub write_file {
  my ($path, $text, $mode) = @_;
  open(my $out, '>', $path) or die "cannot write $path: $!\n";
  print $out $text;
  close($out) or die "cannot write $path: $!\n";
  chmod($mode, $path) if $mode;
}

# The fenced blocks of the page: {language, line, text, mark}.
sub blocks {
  open(my $in, '<', $page) or die "cannot read $page: $!\n";
  my (@blocks, $block, $mark);
  while (my $line = <$in>) {
    if ($block) {
      if ($line =~ /^\s*```\s*$/) {
        push @blocks, $block;
        undef $block;
      } else {
        $block->{text} .= $line;
      }
    } elsif ($line =~ /^\s*```\s*(\S*)/) {
      $block = {language => $1, line => $., text => '', mark => $mark // ''};
      $mark = '';
    } elsif ($line =~ /^<!-- (not run: .+|needs \S+|output differs by machine|prints|each row prints the same) -->$/) {
      $mark = $1;
    } elsif (($mark // '') eq $rows_mark && $line =~ /^\|/) {
      $block = {language => 'rows', line => $., text => $line, mark => ''};
      while (defined($line = <$in>) && $line =~ /^\|/) { $block->{text} .= $line }
      push @blocks, $block;
      undef $block;
      $mark = '';
    } elsif ($line =~ /^ {4,}(\$ |\.\/dev |(riffle|c\+\+|cmake|pkg-config) \S)/) {
      fail($., 'an indented block with commands is not run: fence it');
    } elsif ($line =~ /\S/) {
      fail($. - 1, "no block follows '<!-- $mark -->'") if $mark;
      $mark = '';
    }
  }
  fail($block->{line}, 'the block has no end') if $block;
  return @blocks;
}

# Makes what the snippets need: the samples, and this build under the names that a user writes.
sub prepare {
  remove_tree($work);
  make_path($files, "$work/bin", "$work/pch");
  system('perl', dirname($0) . '/samples.pl', $files) == 0 or die "cannot make the samples\n";
  symlink($riffle, "$work/bin/riffle");
  write_file("$work/bin/c++", "#!/bin/sh\nexec $cxx $flags \"\$@\"\n", 0755);
  write_file("$work/bin/riffle.pc", <<"END");
Name: riffle
Description: this build
Version: 0
Cflags: -I$include
Libs: $libraries -lstdc++
END
  $ENV{CCACHE_PATH} //= $ENV{PATH};  # if $cxx is ccache, it looks for the compiler there, and not in $work/bin
  $ENV{PATH} = "$work/bin:$ENV{PATH}";
  $ENV{PKG_CONFIG_PATH} = "$work/bin";
  $ENV{LC_ALL} = 'C';
  $ENV{LD_LIBRARY_PATH} = dirname((split ' ', $libraries)[0]);  # of the static library, and of the shared one
}

# If a page has many programs that include all of riffle, its headers are compiled once. No other header is, so
# that a program that forgets one still fails.
my ($precompiled, $programs);
sub compile {
  my ($line, $source, $program, $options) = @_;
  open(my $in, '<', $source) or die "cannot read $source: $!\n";
  my $head = join('', grep { /#include <riffle\/riffle.hpp>/ } <$in>);
  if ($head && $programs > 3 && !defined $precompiled) {
    write_file("$work/pch/all.hpp", "#include <riffle/riffle.hpp>\n");
    my ($said, $status) = run($files, "$compile -x c++-header '$work/pch/all.hpp' -o '$work/pch/all.hpp.gch'");
    $precompiled = $status == 0 ? "-include '$work/pch/all.hpp'" : '';
  }
  my $with = $head ? $precompiled // '' : '';
  my ($said, $status) = run($files, "$compile $options $with '$source' $libraries -o '$program'");
  fail($line, "does not compile:\n$said") if $status != 0;
  return $status == 0;
}

# All fragments of the page as one program, which runs the one whose line it is given.
sub compile_fragments {
  my (@fragments) = @_;
  my ($includes, $functions, $calls) = ('', '', '');
  for my $fragment (@fragments) {
    my $line = $fragment->{line};
    my $body = $fragment->{text};
    $includes .= "$&\n" while $body =~ s/^\s*#include.*$//m;
    $functions .= "void fragment_$line() {\n#line " . ($line + 1) . " \"$name\"\n$body}\n";
    $calls .= "  if (line == $line) fragment_$line();\n";
  }
  my $standard = join('', map { "#include <$_>\n" }
      qw(algorithm array charconv cstdint cstdio fstream iostream map ranges span string string_view vector));
  write_file("$work/fragments.cpp", <<"END");
#include <riffle/riffle.hpp>
$standard$includes
template <class... T> void use(const T&...) {}
namespace {
$functions
}
#line 1 "main"
int main(int, char** arguments) try {
  const int line = std::atoi(arguments[1]);
$calls} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\\n';
  return 1;
}
END
  return compile($fragments[0]{line}, "$work/fragments.cpp", "$work/fragments",
    '-Wno-unused-variable -Wno-unused-but-set-variable');
}

# Whether the machine has what a mark names: a command or the shared library.
sub has {
  my ($what) = @_;
  return 0 if $flags =~ /-fsanitize/ || `cc -dumpmachine` ne `$cxx -dumpmachine`;
  return grep { -e "$_/$what" } $ENV{LD_LIBRARY_PATH}, split(/:/, $ENV{PATH});
}

# What differs between the output and what the page shows; nothing if they agree.
sub difference {
  my ($expected, $output) = @_;
  s/\A\s+|\s+\z//g for $expected, $output;
  my @patterns = map { $_ eq '...' ? $_ : quotemeta("$_\n") } split(/\n/, $expected);
  return agrees($output eq '' ? '' : "$output\n", @patterns) ? '' : "the page shows:\n$expected\nit was:\n$output";
}

# Each command of a block of `$ ` and its output: {line, text, expected}.
sub commands {
  my ($block) = @_;
  my ($line, @commands) = ($block->{line});
  for my $text (split(/\n/, $block->{text})) {
    $line++;
    if (@commands && $commands[-1]{text} =~ s/\\\z/\\\n/) {
      $commands[-1]{text} .= $text;
    } elsif ($text =~ /^\$ (.*)/) {
      push @commands, {line => $line, text => $1, expected => ''};
    } elsif (@commands) {
      $commands[-1]{expected} .= "$text\n";
    }
  }
  return @commands;
}

# Runs the two commands of each row of a table.
sub run_rows {
  my ($block) = @_;
  my ($line, $titles, $rule, @rows) = ($block->{line} + 1, split(/\n/, $block->{text}));
  for my $row (@rows) {
    $line++;
    my ($ignored, @cells) = map { s/\\\|/|/gr } split(/\s*(?<!\\)\|\s*/, $row, -1);
    pop @cells;  # after the last |
    my @commands = map { /^`(.+)`$/ ? $1 : '' } @cells[0, 1];
    my ($this, $that) = ($cells[2] // '') =~ /(?:`(.+?)`|an empty line) instead of `(.+?)`/;
    $this //= "\n\n" if defined $that;
    if (@cells < 3 || grep { $_ eq '' } @commands) {
      fail($line, 'a row needs two commands and what differs');
      next;
    }
    $count{rows}++;
    my @outputs;
    for my $command (@commands) {
      my ($output, $status) = run($files, $command);
      push @outputs, $output;
      fail($line, "'$command' ended with status $status:\n$output") if $status != 0;
      fail($line, "'$command' printed nothing") if $output eq '';
    }
    my ($theirs, $ours) = @outputs;
    my $shown = join("\n...and '$commands[0]':\n", map { substr($_, 0, 500) } $ours, $theirs);
    if (!defined $this) {
      fail($line, "the outputs differ; '$commands[1]' printed:\n$shown") if $theirs ne $ours;
      fail($line, "the row says that something differs, and not what") if $cells[2] =~ /`/;
    } elsif (index("\n$ours", $this) < 0 || index($ours, $that) >= 0 || index($theirs, $that) < 0) {
      fail($line, "the row says `$this` instead of `$that`; '$commands[1]' printed:\n$shown");
    }
  }
}

# The commands of a block share a shell, so that `$?`, variables and directories live on.
sub run_console {
  my ($block) = @_;
  my @commands = commands($block);
  my $end = "status=\$?; printf '\\001%d\\001' \$status; (exit \$status)\n";
  my $script = join('', map { "$_->{text}\n$end" } @commands);
  my ($output, $ignored) = run($files, $script);
  my @parts = split(/\001/, $output, -1);
  for my $command (@commands) {
    my ($said, $status) = (shift @parts // '', shift @parts // 'unknown');
    if ($block->{mark} eq 'output differs by machine') {
      fail($command->{line}, "'$command->{text}' ended with status $status:\n$said") if $status ne '0';
    } elsif (my $difference = difference($command->{expected}, $said)) {
      fail($command->{line}, "'$command->{text}' ended with status $status; $difference");
    } elsif ($command->{expected} eq '' && $status ne '0') {
      fail($command->{line}, "'$command->{text}' ended with status $status");
    }
  }
}

prepare();
my @blocks = blocks();
my @run = grep { $_->{language} =~ /^(console|sh)$/ && $_->{mark} !~ /^not run/ } @blocks;
my $shell = join('', map { $_->{text} } @run);
for my $block (grep { $_->{language} eq 'cpp' } @blocks) {
  my $named = $block->{text} =~ /\A\/\/ ([\w-]+)\.cpp\b/ ? $1 : undef;
  my $whole = $block->{text} =~ /\bint main\b/;
  $block->{program} = $named // ($whole ? "program-$block->{line}" : undef);
  write_file("$files/$block->{program}.cpp", $block->{text}) if $block->{program};
}
for my $block (grep { $_->{language} =~ /^(c|rust|go|python)$/ } @blocks) {
  $block->{text} =~ /\A(?:\/\/|#) ([\w-]+\.\w+) / or next;
  $block->{file} = $1;
  write_file("$files/$block->{file}", $block->{text});
  fail($block->{line}, "no command names $block->{file}") if $shell !~ /\b\Q$block->{file}\E\b/;
}
my @fragments = grep { $_->{language} eq 'cpp' && !$_->{program} } @blocks;
$programs = grep { $_->{program} } @blocks;
my $fragments_compiled = @fragments && compile_fragments(@fragments);
my ($printed, $is_python);  # the output of the last block, and whether another test compares it
for my $block (@blocks) {
  my ($language, $line, $text, $mark) = @$block{qw(language line text mark)};
  my $not_run = $mark =~ /^not run: /;
  if ($mark =~ /^needs (\S+)$/ && !has($1)) {
    print "$name:$line: skipped: no $1\n";
    $not_run = 1;
  }
  $count{$not_run ? 'not run' : $language}++ if $language ne 'rows';
  $is_python = $language eq 'python' if $language ne 'text';
  if ($language eq 'rows') {
    run_rows($block);
  } elsif ($language eq 'cpp') {
    my $command = "$work/fragments $line";
    if (my $stem = $block->{program}) {
      next if $shell =~ /\b\Q$stem\E\.cpp\b/;
      next if !compile($line, "$files/$stem.cpp", "$files/$stem", '') || $shell =~ /(^|\s)\.\/\Q$stem\E\b/m;
      $command = "./$stem";
    } elsif (!$fragments_compiled) {
      next;
    }
    next if $not_run;
    ($printed, my $status) = run($files, $command);
    fail($line, "ended with status $status:\n$printed") if $status != 0;
  } elsif ($not_run || $block->{file} || $is_python || $language eq 'json' || ($language eq 'text' && $mark ne 'prints')) {
    next;
  } elsif ($language eq 'text') {
    my $difference = difference($text, $printed // '');
    fail($line, $difference) if $difference;
  } elsif ($language =~ /^(console|sh)$/ && $text =~ /^\$ /m) {
    run_console($block);
  } elsif ($language eq 'sh') {
    my ($said, $status) = run($files, "set -e\n$text");
    fail($line, "ended with status $status:\n$said") if $status != 0;
  } else {
    fail($line, "a block of '$language' is neither run nor marked `<!-- not run: REASON -->`");
  }
}
print "$name: ", join(', ', map { "$count{$_} $_" } sort keys %count), "; $failures failures\n";
exit($failures != 0);
