// How the search orders what it finds: Sphinx's own numbers, and pages to
// look things up on stand behind the chapters that explain them.
var Scorer = {
  score: ([page, , , , score]) =>
    /\/(glossary|package|references)$/.test(page) ? score / 10 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
