import { pagesWith } from '../../kernel/markup/page.ts';

const { page, policy } = pagesWith(`
body{margin:0 auto;max-width:44rem;padding:calc(var(--gap)*3)}
h1{margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.125rem;margin:0 0 .5rem;overflow-wrap:anywhere}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:0 0 .75rem;overflow-wrap:anywhere}
nav.languages{display:flex;gap:1rem;justify-content:flex-end;margin:0 0 .5rem}
nav.languages a,nav.languages span{display:inline-block;padding:.6rem 0}
section{margin:1rem 0;padding:calc(var(--gap)*2);border:1px solid var(--line);border-radius:var(--radius);break-inside:avoid}
dl{display:grid;grid-template-columns:minmax(6rem,auto) 1fr;gap:.35rem 1rem;margin:0 0 .5rem}
dt{color:var(--dim)}
dd{margin:0;overflow-wrap:anywhere}
.guide{white-space:pre-wrap;overflow-wrap:anywhere}
.code{font-size:1.75rem;font-weight:700;letter-spacing:.08em;overflow-wrap:anywhere}
.said,.note{padding:.75rem 1rem;border-radius:var(--radius);background:var(--note-paper)}
.bad{color:var(--bad)}
p.bad{padding:.75rem 1rem;border-radius:var(--radius);background:var(--bad-paper)}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.75rem 1rem;margin:0 0 1rem;align-items:start}
.field.wide{grid-column:1/-1}
label{display:block;margin:0 0 .25rem}
input,select,textarea{width:100%;min-height:2.75rem;padding:.5rem .6rem;font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:var(--radius)}
[aria-invalid]{border-color:var(--bad)}
button,a.button{display:inline-block;min-height:2.75rem;padding:.6rem 1.1rem;font:inherit;font-weight:600;color:var(--button-ink);background:var(--link);border:0;border-radius:var(--radius);cursor:pointer;text-decoration:none}
button.second{color:var(--link);background:none;border:1px solid var(--edge);font-weight:400}
ul.people{list-style:none;margin:0 0 .75rem;padding:0}
ul.people li{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.35rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
ul.people form{margin:0}
@media (max-width:30rem){dl{grid-template-columns:1fr;gap:0}dd{margin:0 0 .5rem}}
@media print{body{max-width:none;padding:0}nav,form,.said,.button{display:none}section{border-color:#999}}
`);

export { page as guestDocument, policy as guestPolicy };
