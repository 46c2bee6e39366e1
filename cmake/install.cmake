# filled in later in this commit series
