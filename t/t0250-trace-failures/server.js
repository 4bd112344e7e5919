// The pages that the tests meet.
const http = require('http');
const page = (body, head='') => `<!doctype html><html><head><meta charset=utf-8><title>Shop</title>${head}</head><body>${body}</body></html>`;
http.createServer((q, r) => {
  const u = new URL(q.url, 'http://x');
  const html = (b, h) => { r.writeHead(200, {'content-type':'text/html; charset=utf-8'}); r.end(page(b, h)); };
  switch (u.pathname) {
  case '/': return html(`<h1>Home</h1><ul id=l><li>One</li><li>Two</li></ul><button>Save</button><button>Save all</button><input aria-label=Name value=Ann><p id=n>0</p>
    <script>let i=0;setInterval(()=>{n.textContent=String(++i)},100)</script>`);
  case '/data': return html(`<h1>Data</h1><div id=o>loading</div><script>fetch('/api/items?x=1').then(async r=>{o.textContent = r.status+' '+(await r.text())}).catch(e=>{o.textContent='ERR '+e.message})</script>`);
  case '/api/items': r.writeHead(200, {'content-type':'application/json'}); return r.end(JSON.stringify({items:['a','b','c']}));
  case '/frame': return html(`<h1>Outer</h1><iframe name=pay title=Pay src=/inner></iframe>`);
  case '/inner': return html(`<form><label>Card <input name=card></label><button>Pay</button></form>`);
  case '/slow': return setTimeout(() => html('<h1>Slow</h1>'), 3000);
  case '/hang': return;
  case '/r1': r.writeHead(302, {location:'/r2'}); return r.end();
  case '/r2': r.writeHead(301, {location:'/'}); return r.end();
  case '/loop': r.writeHead(302, {location:'/loop'}); return r.end();
  default: r.writeHead(404, {'content-type':'text/plain'}); r.end('no such page');
  }
}).listen(8652);
