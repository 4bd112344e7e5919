#!/bin/sh
# bot: rca as an agent that is tested like any other.  "Explain CASE." answers with the report of that
# golden case, from the recorded answers; no model, no key.
set -u
golden=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:$golden/../build/bin
read -r text
case $text in
'Explain '[a-z]*.) case=${text#Explain } case=${case%.} ;;
*) case= ;;
esac
case $case in
*[!a-z0-9-]*) case= ;;
esac
if [ -z "$case" ] || [ ! -f "$golden/$case/trace.zip" ]; then
	echo 'I explain golden cases: say "Explain CASE."'
	exit
fi
rca -c "$golden/cassettes" -r "$golden/app" "$golden/$case/trace.zip"
