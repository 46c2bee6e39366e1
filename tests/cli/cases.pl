#!/usr/bin/env perl
# Runs the cases of a file: commands of bash, what each has to print, and how it has to end.
#
# usage: cases.pl [--update] FILE [TITLE]
#
# --update writes what came out into the file, for review. `riffle` is the tool that the variable riffle names, or else
# that of the dev build. A file of cases has
#
#   == reads a file twice       the title of a case, which is a test of its own
#   # text                      a comment
#   needs gzip                  Without this command the case is skipped.
#   needs COMMANDS  # REASON    It is skipped, and says why, unless these commands succeed. So is one that meets a format
#                               that the tool was built without.
#   file NAME                   Each command finds this file. Its lines follow, indented.
#   once COMMANDS               They run once in a case, and each command finds the files that they made.
#   first COMMANDS              They run before each command, in its shell. More lines may follow, indented.
#   form COMMANDS               So do these; with several forms, each command runs after each of them.
#   each WORDS | WORDS          The next commands that have `{}` run with each of these for it, also in what they print.
#   $ riffle wc a               a command, in a folder of its own; lines after `> ` continue it
#     2 3 10 a                  what it prints, indented
#   1! riffle: cannot ...       its errors; its exit status stands before the first, unless it is 0; `1!` is that alone
#   $ riffle cat b  #> x↵y      the same, if it prints few and short lines: ↵ stands between them
#   $ riffle wc c  #1! riffle: cannot open 'c': No such file or directory
#
# What stands before the first title holds for each case. A blank line belongs to an output if that goes on after it.
# In an output the line `...` stands for any lines. A line may end in
#
#   (no newline at the end)
#   (escaped)                   \\, \t, \r, \xFF and the like stand for such bytes
#   (regex)                     the line is a regular expression
use strict;
use warnings;
use File::Basename qw(basename dirname);
use File::Path qw(make_path remove_tree);
use File::Spec;
use File::Temp qw(tempdir);
use Time::HiRes qw(sleep time);
use lib dirname(__FILE__) . '/../support';
use console;

my $update = @ARGV && $ARGV[0] eq '--update' && shift;
my ($file, $wanted) = @ARGV;
$file // die "usage: cases.pl [--update] FILE [TITLE]\n";
my $suite = basename($file, '.rows');
my $longest = 130;  # of a line that holds a command and what it prints, in characters
my $newline = "\xE2\x86\xB5";  # ↵
my $no_newline = ' (no newline at the end)';
my %named = (t => "\t", r => "\r", n => "\n", '\\' => '\\');

sub fail {
  my ($line, $message) = @_;
  print STDERR "$file:$line: $message\n";
  exit(2);
}

sub contents {
  my ($path) = @_;
  open(my $in, '<:raw', $path) or return '';
  local $/;
  return <$in> // '';
}

# The bytes of a line as the file shows it, and a pattern for them.
sub read_line {
  my ($text) = @_;
  return ('', '...') if $text eq '...';
  my $end = $text =~ s/\Q$no_newline\E\z// ? '' : "\n";
  return ('', "(?:$text)$end") if $text =~ s/ \(regex\)\z//;
  if ($text =~ s/ \(escaped\)\z//) {
    $text =~ s{\\(?:x([0-9A-F]{2})|(.))}{defined $1 ? chr(hex($1)) : $named{$2} // fail(1, "no such escape: \\$2")}ge;
  }
  return ("$text$end", quotemeta("$text$end"));
}

# The lines by which the file shows these bytes.
sub shown {
  my ($bytes) = @_;
  my @lines = $bytes =~ /([^\n]*\n|[^\n]+\z)/g;
  for my $line (@lines) {
    my $end = $line =~ s/\n\z// ? '' : $no_newline;
    my $escape = $line =~ /[\x00-\x08\x0B-\x1F\x7F]|\s\z|\A\.\.\.\z|\((?:escaped|regex)\)\z/ || !utf8::decode(my $copy = $line);
    my %names = reverse %named;
    $line =~ s/[^\x20-\x5B\x5D-\x7E]/$names{$&} ? "\\$names{$&}" : sprintf('\\x%02X', ord($&))/ge if $escape;
    $line =~ s/ \z/\\x20/ if $escape;
    $line .= ($escape ? ' (escaped)' : '') . $end;
  }
  return @lines;
}

# How the file shows a command and what came out of it.
sub shown_run {
  my ($text, $out, $err, $status) = @_;
  my @out = shown($out);
  my @err = shown($err);
  $status ||= '';
  my @last = $status || @err ? ("$status!" . (@err && "$status$err[0]" ne '' ? " $err[0]" : '')) : ();
  my $marked = grep { /^\.\.\.$|\((?:escaped|regex)\)/ } @out;
  my @below = map { $_ eq '' ? '' : "  $_" } @out;
  $below[-1] = '   (escaped)' if @out && $out[-1] eq '';  # a blank line would not belong to the output
  my @rest = (@below, @last, map { "! $_" } @err[1 .. $#err]);
  my $line = "\$ $text" . (@out ? ('  #> ' . join($newline, @out)) =~ s/ \z//r : "  #@last");
  $text =~ s/\n/\n> /g;
  return ("\$ $text", @rest) if $text =~ /\n/ || !@rest || @out > 4 || @out > 1 && $marked || @err > 1 && !@out ||
      length($line =~ s/[\x80-\xBF]//gr) > $longest;
  return ($line, @rest[(@out || 1) .. $#rest]);
}

# The cases of the file: {title, line, needs, files, first, forms, commands}, with commands {line, last, text, values,
# out, err, status}, of which `out` and `err` are lines as the file shows them.
sub read_cases {
  open(my $in, '<:raw', $file) or die "cannot read $file: $!\n";
  chomp(my @lines = <$in>);
  my $all = {line => 1, title => '', needs => [], files => [], once => [], first => [], forms => [], commands => [], each => []};
  my ($case, @cases, $block, $blank, $values, $command, %seen) = ($all);
  my $close = sub {
    for my $made (@{$case->{files}}) { fail($case->{line}, "the file $made->[0] has no lines") if @$made < 2 }
    for my $each (@{$case->{each}}) {
      my $used = grep { $_->{values} && $_->{values} == $each->[1] && $_->{text} =~ /\{\}/ } @{$case->{commands}};
      fail($each->[0], "no command has the '{}' of this line") if !$used;
    }
    fail($case->{line}, "the case '$case->{title}' has no command") if $case != $all && !@{$case->{commands}};
  };
  for my $number (1 .. @lines) {
    my $line = $lines[$number - 1];
    if ($line eq '') {
      $blank++;
      next;
    }
    if ($line =~ /^  (.*)/) {
      fail($number, 'this line is indented, and belongs to nothing') if !$block;
      push @$block, ('') x $blank, $1;
      $blank = 0;
      $command->{last} = $number if $command;
      next;
    }
    $blank = 0;
    undef $block;
    if ($line =~ /^== (.+)/) {
      $close->();
      my $title = $1;
      fail($number, 'a title has letters, digits, spaces and -') if $title !~ /^[\w -]+$/;
      fail($number, "there are two cases '$title'") if $seen{$title}++;
      $case = {line => $number, title => $title, commands => [], each => [], map { $_ => [@{$all->{$_}}] } qw(needs files once first forms)};
      push @cases, $case;
      undef $values;
      undef $command;
    } elsif ($line =~ /^\$ (.*\S.*)/) {
      fail($number, 'a command needs a title before it') if $case == $all;
      $command = {line => $number, last => $number, text => $1, values => $values, out => [], err => [], status => 0};
      $block = $command->{out};
      push @{$case->{commands}}, $command;
      next if $command->{text} !~ s/  #(?:(>)|(\d*)!)(?: (.*))?\z//;
      undef $block;
      my ($printed, $status, $words) = ($1, $2, $3);
      push @{$command->{out}}, ($words // '') eq '' ? '' : split(/$newline/, $words, -1) if $printed;
      push @{$command->{err}}, $words // '' if !$printed && ($status eq '' || defined $words);
      $command->{status} = $status || 0;
    } elsif ($line =~ /^> ?(.*)/) {
      fail($number, 'no command stands before this line') if !$command || $command->{last} != $number - 1 || @{$command->{out}};
      $command->{text} .= "\n$1";
      $command->{last} = $number;
      $block = $command->{out};
    } elsif ($line =~ /^(\d*)!(?: (.*))?\z/) {
      fail($number, 'no command stands before this error') if !$command || $command->{last} != $number - 1;
      fail($number, 'the exit status stands before the first error') if $1 ne '' && (@{$command->{err}} || $command->{status});
      $command->{status} = $1 || $command->{status};
      push @{$command->{err}}, $2 // '' if $1 eq '' || defined $2;
      $command->{last} = $number;
    } elsif ($line =~ /^each (.*)/) {
      $values = $block = [$1];
      push @{$case->{each}}, [$number, $values];
      undef $command;
    } elsif ($line =~ /^(needs|file|once|first|form) (.+)/) {
      fail($number, "'$1' stands before the commands of a case") if @{$case->{commands}};
      $block = [$2];
      push @{$case->{{needs => 'needs', file => 'files', once => 'once', first => 'first', form => 'forms'}->{$1}}}, $block;
      undef $block if $1 eq 'needs';
    } elsif ($line !~ /^#/) {
      fail($number, "neither a title, a comment, a setting, a command nor an output: $line");
    }
  }
  $close->();
  fail(1, 'there is no case') if !@cases;
  return (\@cases, \@lines);
}

my $grace = $ENV{riffle_grace} // 10;  # seconds by which what a command starts may outlive it

# Ends the processes that a command has left behind. Returns what they are.
sub left_behind {
  my ($mark) = @_;
  my $late = time() + $grace;
  while (1) {
    my @left = grep { index("\0" . contents($_), "\0$mark\0") >= 0 } glob('/proc/[0-9]*/environ');
    return '' if !@left;
    if (time() > $late) {
      my @pids = map { m{/(\d+)/} } @left;
      my $names = join('', map { my $name = `tr '\\0' ' ' < /proc/$_/cmdline`; "  $name\n" } @pids);
      kill('KILL', @pids);
      return $names;
    }
    sleep(0.005);
  }
}

my $place = tempdir('riffle-cases-XXXXXX', TMPDIR => 1);
my $mark = "riffle_cases_of=$$";

# Runs a command with one form and one value. Returns its output, errors and status.
sub run_once {
  my ($case, $text, $form) = @_;
  my $folder = "$place/files";
  make_path($folder);
  for my $made (@{$case->{files}}) {
    my ($name, @lines) = @$made;
    open(my $out, '>:raw', "$folder/$name") or die "cannot write $folder/$name: $!\n";
    print $out map { (read_line($_))[0] } @lines;
    close($out);
  }
  if (@{$case->{once}}) {
    my $made = "$place/" . $case->{line};
    if (!-e $made) {
      make_path($made);
      my ($said, $status) = run($made, join("\n", map { @$_ } @{$case->{once}}));
      fail($case->{line}, "'once' ended with status $status:\n$said") if $status != 0;
    }
    system('cp', '-a', "$made/.", $folder) == 0 or die "cannot copy $made\n";
  }
  my $script = join("\n", (map { @$_ } @{$case->{first}}), @$form, $text);
  my ($out, $status) = do {
    local $ENV{riffle_cases_of} = $$;
    run($folder, $script, "$place/errors");
  };
  my $err = contents("$place/errors");
  if (my $left = left_behind($mark)) { $err .= "cases.pl: the command leaves processes behind, which were killed:\n$left" }
  remove_tree($folder);
  return ($out, $err, $status);
}

# Runs a command in each form and with each value. Returns what came out the first time that it was wrong, and says so.
sub wrong_run {
  my ($case, $command) = @_;
  my $values = $command->{text} =~ /\{\}/ && $command->{values} ? join(' ', @{$command->{values}}) : undef;
  for my $form (@{$case->{forms}} ? @{$case->{forms}} : ['true']) {
    for my $value (defined $values ? map { s/^\s+|\s+$//gr } split(/\|/, $values, -1) : undef) {
      my ($text, @expected) = map { defined $value ? s/\{\}/$value/gr : $_ } $command->{text}, @{$command->{out}};
      my @errors = map { defined $value ? s/\{\}/$value/gr : $_ } @{$command->{err}};
      my @got = run_once($case, $text, $form);
      my @patterns = map { [map { (read_line($_))[1] } @$_] } \@expected, \@errors;
      next if agrees($got[0], @{$patterns[0]}) && agrees($got[1], @{$patterns[1]}) && $got[2] == $command->{status};
      print "$file:$command->{line}: the case expects\n", map { "  $_\n" } $text, @expected, map { "! $_" } @errors;
      print "  status $command->{status}\nand there came", (@{$case->{forms}} ? " (form $form->[0])" : ''), "\n",
          map { "  $_\n" } shown_run($text, @got);
      return @got;
    }
  }
  return;
}

# The cases that were asked for: how many failed, and how many were skipped.
my ($cases, $lines) = read_cases();
my @chosen = grep { !defined $wanted || $_->{title} eq $wanted } @$cases;
@chosen or fail(1, "there is no case '$wanted'");
$ENV{LC_ALL} = 'C';
$ENV{instrumented} //= 'false';  # or true, with a sanitizer
$ENV{seconds} //= 600;  # that a case may take; by an emulator they are more
$ENV{riffle} //= dirname(__FILE__) . '/../../build/dev/riffle';
my $tool = File::Spec->rel2abs($ENV{riffle});
-x $tool or die "there is no $tool; the variable riffle names the tool\n";
make_path("$place/bin");
symlink($tool, "$place/bin/riffle") or die "cannot make $place/bin/riffle: $!\n";
$ENV{riffle} = "$place/bin/riffle";
$ENV{PATH} = "$place/bin:$ENV{PATH}";
my ($failed, $skipped, %updates) = (0, 0);
CASE: for my $case (@chosen) {
  for my $need (@{$case->{needs}}) {
    my ($condition, $reason) = $need->[0] =~ /^(.*?)(?:\s+# (.*))?$/;
    ($condition, $reason) = ("command -v $condition", "$condition is not here") if !defined $reason;
    next if (run($place, $condition))[1] == 0;
    print "$file:$case->{line}: Skipped\n$reason\n";
    $skipped++;
    next CASE;
  }
  my $wrong = 0;
  for my $command (@{$case->{commands}}) {
    my @got = wrong_run($case, $command) or next;
    if ("$got[0]$got[1]" =~ /riffle was built without \w+/) {
      print "$file:$command->{line}: Skipped\n$&\n";
      $skipped++;
      next CASE;
    }
    $wrong++;
    $updates{$command->{line}} = [$command->{last}, shown_run($command->{text}, @got)];
  }
  $failed++ if $wrong;
}
remove_tree($place);
if ($update && %updates) {
  for my $line (sort { $b <=> $a } keys %updates) {
    my ($last, @new) = @{$updates{$line}};
    splice(@$lines, $line - 1, $last - $line + 1, @new);
  }
  open(my $out, '>:raw', $file) or die "cannot write $file: $!\n";
  print $out map { "$_\n" } @$lines;
  close($out) or die "cannot write $file: $!\n";
}
print "$suite: ", scalar(@chosen), " cases, $failed failed, $skipped skipped\n";
exit($failed ? 1 : $skipped == @chosen ? 77 : 0);
