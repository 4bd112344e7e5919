#include "page.h"

const char page_style[] =
    ":root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#57606a;--line:#d0d7de;"
    "--soft:#f3f5f7;--bar:#2563ab;--pass:#1a7f37;--review:#8a5a00;--fail:#c0202c;--error:#6639a6}\n"
    "@media(prefers-color-scheme:dark){:root{--back:#12161c;--text:#e4e8ec;--dim:#9aa4af;"
    "--line:#343c46;--soft:#1b2129;--bar:#6aa9f0;--pass:#4ac26b;--review:#e0a83b;--fail:#ff7b72;"
    "--error:#b794f6}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:70rem;padding:1.5rem 1rem 4rem;background:var(--back);"
    "color:var(--text);font:16px/1.5 system-ui,sans-serif}\n"
    "h1{font-size:1.5rem;margin:0}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}\n"
    ".all{font-size:2.6rem;font-weight:650;margin:.4rem 0 0;line-height:1.2}\n"
    ".all small,.meta,figcaption span{color:var(--dim);font-weight:400}\n"
    ".all small{font-size:1.1rem;display:inline-block;line-height:1.4}.meta{margin:.2rem "
    "0;overflow-wrap:anywhere}\n"
    ".wide{overflow-x:auto}\n"
    "table{border-collapse:collapse;width:100%}\n"
    "th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);"
    "vertical-align:top}\n"
    "th{font-weight:600;font-size:.875rem;color:var(--dim)}\n"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "td.name{overflow-wrap:anywhere;min-width:9rem}\n"
    ".bar{width:38%;min-width:6rem}.bar "
    "svg{display:block;width:100%;height:.8rem;margin-top:.4rem}\n"
    ".track{fill:var(--line)}.fill{fill:var(--bar)}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(16rem,1fr));gap:1rem}\n"
    "figure{margin:0;padding:.6rem .8rem;background:var(--soft);border-radius:.4rem}\n"
    "figcaption{display:flex;justify-content:space-between;font-weight:600}\n"
    "figure svg{display:block;width:100%;height:auto}\n"
    ".grid{stroke:var(--line);stroke-width:1}.trend{fill:none;stroke:var(--bar);stroke-width:2}\n"
    ".dot{fill:var(--bar)}.mark{stroke:var(--review);stroke-width:1.5;stroke-dasharray:4 3}\n"
    ".axis{fill:var(--dim);font-size:10px}\n"
    ".pass{color:var(--pass)}.review{color:var(--review)}.fail{color:var(--fail)}"
    ".error,.judge_error,.infra_error{color:var(--error)}\n"
    ".status{font-weight:600;white-space:nowrap}\n"
    ".low{color:var(--fail);font-weight:600}\n"
    "tr.case td{border-bottom:0;padding-bottom:0}tr.why td{padding-top:0}\n"
    "details{font-size:.9rem}summary{cursor:pointer;color:var(--dim)}\n"
    "dl{margin:.3rem 0}dt{font-weight:600}dd{margin:0 0 .4rem;overflow-wrap:anywhere}\n"
    "textarea{width:100%}textarea,input,select,button{font:inherit;max-width:100%;padding:.3rem}\n"
    ".talk dt{margin-top:.9rem}.reply{white-space:pre-wrap;background:var(--soft);"
    "padding:.4rem .7rem;border-radius:.4rem}\n"
    "ul{padding-left:1.2rem}li{overflow-wrap:anywhere}\n"
    "@media(max-width:36rem){th,td{padding:.3rem}.bar{min-width:3rem}td.name{min-width:8rem}"
    ".part{display:none}}\n";

void
page_begin(struct buf *b, const char *title)
{
	buf_text(b, "<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n"
		    "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; "
		    "style-src 'unsafe-inline'\">\n"
		    "<meta name=viewport content=\"width=device-width,initial-scale=1\">\n");
	buf_format(
	    b, "<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n", title, page_style);
}

void
page_end(struct buf *b)
{
	buf_text(b, "</body>\n</html>\n");
}
