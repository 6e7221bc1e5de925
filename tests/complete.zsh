# Print what zsh makes of a line in which a tab is typed, with the completion _tq
# of a folder; in a terminal of its own.
#
#	zsh -f complete.zsh FOLDER LINE
zmodload zsh/zpty
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell "PS1= PS2= RPS1=
unsetopt prompt_cr prompt_sp
fpath=(${(q)1} \$fpath)
autoload -Uz compinit && compinit -u -d ${(q)1}/dump
show() { print -r -- \"<\$BUFFER>\" }
zle -N show
bindkey '^X' show
bindkey '^I' complete-word
echo IS''READY"
zpty -r shell said '*ISREADY*'
zpty -n -w shell "$2"$'\t\x18'
zpty -r shell said '*<*>*'
print -r -- ${${said##*\<}%%\>*}
zpty -d shell
