// A page, its data and a few ways to misbehave, for events.spec.js.
const http = require('http');
const page = `<!doctype html><html><head><title>Shelf</title></head><body>
<h1>Shelf</h1><ul id=list></ul><p id=total>loading</p><button id=buy>Buy</button>
<a href="/other" target=_blank>other page</a>
<script>
fetch('/api/books').then(r => r.json()).then(b => {
  list.innerHTML = b.books.map(t => '<li>' + t + '</li>').join(''); total.textContent = b.books.length + ' books';
}).catch(e => { total.textContent = 'failed: ' + e.message; });
fetch('/api/count', { method: 'POST', body: 'seen=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } });
buy.onclick = () => { console.error('cannot buy', 1); setTimeout(() => { null.price; }); };
</script></body></html>`;
http.createServer((q, a) => {
  const path = q.url.replace(/\?.*/, '');
  if (path === '/api/books') {
    a.setHeader('content-type', 'application/json');
    return a.end(JSON.stringify({ books: ['Emma', 'Ulysses', 'Perelandra'] }));
  }
  if (path === '/api/count') return a.writeHead(503, { 'content-type': 'text/plain' }).end('too busy');
  if (path === '/sjis') {
    a.setHeader('content-type', 'text/plain; charset=Shift_JIS');
    return a.end(Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]));
  }
  if (path === '/slow') return;
  if (path === '/old') return a.writeHead(302, { location: '/shelf' }).end();
  a.setHeader('content-type', 'text/html');
  if (path === '/frame') return a.end('<title>Frames</title><h1>Outer</h1><iframe src="/other"></iframe>');
  if (path === '/other') return a.end('<title>Other</title><h2>Other page</h2><button>Inner</button>');
  if (path === '/cover') return a.end('<button id=go>Go</button><div id=veil style="position:fixed;inset:0">veil</div>');
  if (path === '/file') { a.setHeader('content-disposition', 'attachment; filename=list.txt'); return a.end('Emma'); }
  a.end(page);
}).listen(Number(process.env.PORT || 8651));
