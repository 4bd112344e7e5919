#!/bin/sh
# eval-report beside others: html-validate, the CTRF library's own schema, and Chromium on hostile text.
# shellcheck disable=SC2317 # check() is what ok runs
. "$(dirname "$0")/lib.sh"
hostile='</td></script><script>document.title=1</script><img src=x onerror=document.title=2>'
{
	printf '{"type":"score","case":"a%s","category":"b%s","status":"fail","total":3,"max":10,"axes":{"root_cause_correct":1},"why":{"root_cause_correct":"%s"},"duration_ms":12.5}\n' "$hostile" "$hostile" "$hostile"
	echo '{"type":"score","case":"ok","category":"auth","status":"pass","total":10,"max":10,"axes":{"root_cause_correct":2}}'
	echo '{"type":"score","case":"down","category":"auth","status":"infra_error"}'
} >in
echo '{"type":"eval_run","wall":"2026-07-04T08:00:00Z","total":30,"max":50,"axes":{"root_cause_correct":0.5},"prompt":"rca.v1"}' >history
eval-report -H history -w 2026-07-11T08:00:00Z -o html in >report.html
eval-report -w 2026-07-11T08:00:00Z -o ctrf in >report.json
if peer html-validate@9.7.1; then
	echo '{"extends":["html-validate:standard"],"root":true}' >.htmlvalidate.json
	ok 'html-validate' "$peers/node_modules/.bin/html-validate" report.html
else
	skip 'html-validate' 'npm could not bring it'
fi
if peer ctrf@0.3.0; then
	cat >validate.mjs <<'END'
import fs from 'node:fs';
const { validateStrict } = await import(process.argv[2]);
const report = JSON.parse(fs.readFileSync('report.json', 'utf8'));
validateStrict(report);
report.results.summary.passed = 'one';
try { validateStrict(report); } catch { process.exit(0); }
process.exit(1);
END
	ok 'CTRF: valid, and what is wrong is not' node validate.mjs "$peers/node_modules/ctrf/dist/index.js"
else
	skip 'CTRF' 'npm could not bring it'
fi
if [ -x /usr/bin/chromium ]; then
	see() { timeout 60 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--user-data-dir="$tmp/profile" "$@" "file://$tmp/report.html" 2>/dev/null; }
	check() { see --dump-dom >dom && grep -q '<title>Trace-RCA eval score report</title>' dom && ! grep -q '<script\|<img' dom; }
	ok 'nothing in a browser but what we wrote' check
	for width in 1200 420; do
		check() { see --window-size="$width",2000 --screenshot="$tmp/$width.png" && [ "$(wc -c <"$width.png")" -gt 20000 ]; }
		ok "a picture, $width wide" check
	done
else
	skip 'Chromium' 'not installed'
fi
done_testing
