const root = document.getElementById('app');
const name = location.pathname.slice(1) || 'arrivals';
const { page } = await import(`/js/${name}.js`);
await page(root);
