// The pages and services that record.js visits; every answer is fixed.
const http = require('http');
const { WebSocketServer } = require('ws');
const page = (title, body) => `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`;
const etag = '"v1"';
const routes = {
  '/': [200, {}, page('Home', '<h1>Home</h1><a href="/file" download>Get the file</a>')],
  '/hop': [302, { location: '/hop2' }, ''], '/hop2': [307, { location: '/landed' }, ''], '/landed': [200, {}, page('Landed', '<h1>Landed</h1>')],
  '/file': [200, { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="list.csv"' }, 'a,b\n1,2\n'],
  '/cached.json': [200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' }, '{"kept":true}'],
  '/sjis': [200, { 'content-type': 'text/html; charset=Shift_JIS' }, Buffer.from('3c68313e8365835883673c2f68313e', 'hex')], // <h1>テスト</h1>
  '/latin.json': [200, { 'content-type': 'application/json; charset=iso-8859-1' }, Buffer.from('{"name":"Caf\xe9"}', 'latin1')],
  '/utf16.txt': [200, { 'content-type': 'text/plain; charset=utf-16le' }, Buffer.from('\u00fcber', 'utf16le')],
  '/frames': [200, {}, page('Frames', '<h1>Frames</h1><iframe src="/inner" title="Inner"></iframe><iframe src="/" width=0 height=0 style="border:0;display:block"></iframe><iframe src="about:blank" hidden></iframe>')],
  '/inner': [200, {}, page('Inner', '<button>Inside</button>')],
  '/worker': [200, {}, page('Worker', `<h1>Worker</h1><p id=o></p><script>
    navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => {
      const go = () => fetch('/from-worker').then(r => r.text()).then(t => { o.textContent = t; return fetch('/through').then(r => r.text()) }).then(t => { o.textContent += ' ' + t; });
      navigator.serviceWorker.controller ? go() : navigator.serviceWorker.addEventListener('controllerchange', go); });</script>`)],
  '/sw.js': [200, { 'content-type': 'text/javascript' }, `self.addEventListener('install', () => self.skipWaiting());
    self.addEventListener('activate', e => e.waitUntil(clients.claim()));
    self.addEventListener('fetch', e => { const p = new URL(e.request.url).pathname;
      if (p === '/from-worker') e.respondWith(new Response('made by the worker', { headers: { 'content-type': 'text/plain' } }));
      if (p === '/through') e.respondWith(fetch(e.request)); });`],
  '/through': [200, { 'content-type': 'text/plain' }, 'from the server'],
  '/popup': [200, {}, page('Popup', '<h1>Popup</h1>')],
  '/sockets': [200, {}, page('Sockets', `<ul id=l></ul><script>
    const say = t => { const li = document.createElement('li'); li.textContent = t; l.append(li); };
    const echo = new WebSocket('ws://localhost:8653/echo');
    echo.onopen = () => { echo.send('hello'); echo.send(new Uint8Array([1, 2, 255])); };
    echo.onmessage = e => say(typeof e.data);
    const g = new WebSocket('ws://localhost:8653/graphql', 'graphql-transport-ws');
    g.onopen = () => g.send(JSON.stringify({ type: 'connection_init', payload: {} }));
    g.onmessage = e => { const m = JSON.parse(e.data); say(m.type);
      if (m.type === 'connection_ack') {
        g.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { operationName: 'OrderAdded', query: 'subscription OrderAdded { orderAdded { id } }' } }));
        g.send(JSON.stringify({ id: '2', type: 'subscribe', payload: { query: 'subscription PriceChanged { price { value } }' } })); } };</script>`)],
};
const server = http.createServer((q, r) => {
  if (q.url === '/etag') {
    if (q.headers['if-none-match'] === etag) { r.writeHead(304, { etag }); return r.end(); }
    r.writeHead(200, { etag, 'content-type': 'text/plain', 'cache-control': 'no-cache' }); return r.end('tagged');
  }
  const [status, headers, body] = routes[q.url] || [404, { 'content-type': 'text/plain' }, 'nothing here'];
  r.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }); r.end(body);
});
new WebSocketServer({ server, handleProtocols: p => [...p][0] || false }).on('connection', (s, q) => s.on('message', (data, binary) => {
  if (q.url === '/echo') return s.send(data, { binary });
  const m = JSON.parse(data);
  if (m.type === 'connection_init') s.send(JSON.stringify({ type: 'connection_ack' }));
  if (m.id === '1') { s.send(JSON.stringify({ id: '1', type: 'next', payload: { data: { orderAdded: { id: 'o-7' } } } })); s.send(JSON.stringify({ id: '1', type: 'complete' })); }
  if (m.id === '2') s.send(JSON.stringify({ id: '2', type: 'error', payload: [{ message: 'Not authorised to see prices', extensions: { code: 'FORBIDDEN' } }] }));
}));
server.listen(8653);
