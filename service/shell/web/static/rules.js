// A rule that another book has is found there: games share rules.
// @ts-check

function find() {
  const rule = decodeURIComponent(location.hash.slice(1));
  if (/^[A-Z]{2}-[A-Z]?\d+$/.test(rule) && !document.getElementById(rule)) location.replace(`/rules/${rule}`);
}
addEventListener('hashchange', find);
find();
