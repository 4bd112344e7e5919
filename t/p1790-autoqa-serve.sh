#!/bin/sh
# autoqa-serve with its web server, in a browser: a talk, saved, seen by the next run; hostile words stay words.
. "$(dirname "$0")/lib.sh"

if ! peer playwright-core@1.65.1 || ! [ -x /usr/bin/chromium ]; then
	skip 'the pages in Chromium' 'npm or Chromium is not there'
	done_testing
	exit
fi
HARBOUR_FAULTS='memory refund' autoqa -q -A "$top/golden/agents" -a harbour -d data >/dev/null
port=$((20000 + $$ % 20000))
autoqa-serve -A "$top/golden/agents" -d data -P $port >address 2>err &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do [ -s address ] || sleep 0.2; done
cat >see.mjs <<'END'
import { createRequire } from 'node:module';
const require = createRequire(process.argv[2]);
const { chromium } = require('playwright-core');
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
		'--disable-component-update', '--disable-sync'] });
let n = 0;
const ok = (good, name) => console.log(`${good ? 'ok' : 'not ok'} ${++n} - ${name}`);
const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
const outside = [];
page.on('request', r => { if (!r.url().startsWith('http://127.0.0.1:' + process.argv[4])) outside.push(r.url()); });
page.on('dialog', d => { outside.push('dialog'); d.dismiss(); });
await page.goto(process.argv[3]);
ok(!page.url().includes('token'), 'the token is gone from the address');
ok(await page.getByRole('link', { name: 'harbour', exact: true }).isVisible(), 'the agents');
await page.getByRole('link', { name: 'harbour', exact: true }).click();
ok(await page.getByText('refunds together stay below what was paid').first().isVisible(), 'what is known');
await page.screenshot({ path: 'agent.png' });
await page.getByRole('link', { name: 'run 0001' }).click();
ok(await page.getByRole('heading').first().isVisible(), 'a run');
await page.goBack();
await page.getByRole('link', { name: 'Talk to it' }).click();
await page.getByLabel('Say something').fill('My boat is called <img src=x onerror=alert(1)>.');
await page.getByRole('button', { name: 'Send' }).click();
ok(await page.locator('.talk img').count() === 0, 'an element in a reply is text');
await page.getByLabel('Say something').fill('What is my boat called?');
await page.getByRole('button', { name: 'Send' }).click();
ok(await page.locator('.talk dt').count() === 2, 'the second turn has the first before it');
await page.setViewportSize({ width: 420, height: 900 });
ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'fits a telephone');
await page.screenshot({ path: 'play.png' });
await page.getByLabel('Title').fill('It knows the boat');
await page.getByLabel('value').fill('boat');
await page.getByRole('button', { name: 'Save as scenario' }).click();
ok(page.url().endsWith('/agent?agent=harbour'), 'saved');
const stranger = await (await browser.newContext()).newPage();
ok((await stranger.goto(page.url())).status() === 403, 'nobody without the cookie');
ok(outside.length === 0, 'nothing was loaded from elsewhere, no dialog: ' + outside);
await browser.close();
console.log('1..' + n);
END
ok 'in Chromium' sh -c 'timeout 120 node see.mjs "$1/node_modules/" "$(cat address)" "$2" >tap; cat tap; grep -q "^1\.\.10" tap && ! grep -q "^not ok" tap' \
	sh "$peers" $port
[ -z "${KEEP-}" ] || cp ./*.png "$KEEP"
ok 'the next run begins with it' sh -c 'autoqa -n -A "$1" -a harbour -d data | grep -q "It knows the boat"' sh "$top/golden/agents"
kill $server
wait $server 2>/dev/null
ok 'and nothing listens then' perl -MIO::Socket::INET -e 'exit defined IO::Socket::INET->new("127.0.0.1:$ARGV[0]")' $port
done_testing
