# What the tests of pages and of cases share: they run commands in bash, and compare what those print.
package console;
use strict;
use warnings;
use Exporter qw(import);
our @EXPORT = qw(run agrees);

# Runs a script of bash in a folder. Returns its output and its exit status, 128 + the signal if one killed it. Its
# error output goes to the file $errors; without one, it stands in the output. SIGPIPE ends the commands as in a shell,
# also if the caller of this program ignores it.
sub run {
  my ($folder, $script, $errors) = @_;
  my $child = open(my $pipe, '-|') // die "cannot start a process: $!\n";
  if (!$child) {
    $SIG{PIPE} = 'DEFAULT';
    chdir($folder) && open(STDIN, '<', '/dev/null') &&
        ($errors ? open(STDERR, '>', $errors) : open(STDERR, '>&', \*STDOUT)) &&
        exec('bash', '-o', 'pipefail', '-c', $script);
    die "cannot run bash in $folder: $!\n";
  }
  local $/;
  my $output = <$pipe> // '';
  close($pipe);
  return ($output, $? & 127 ? 128 + ($? & 127) : $? >> 8);
}

# Whether lines are as these patterns, each of which holds the end of its line; `...` stands for any lines.
sub agrees {
  my ($output, @patterns) = @_;
  my $pattern = join('', map { $_ eq '...' ? '(?:.*\n)*?' : $_ } @patterns);
  $pattern .= '(?s:.*)' if @patterns && $patterns[-1] eq '...';
  return $output =~ /\A$pattern\z/;
}

1;
