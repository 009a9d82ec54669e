import { type Catalogue, createCatalogue } from '../analysis/reasons/catalogue.ts'
import { printReport } from '../utils/reports/printers.ts'
import type { Cell, Report, Tone } from '../utils/reports/report.ts'
import { defineCommand } from './command.ts'

export default defineCommand({
  name: 'evidence',
  summary: 'Print all that is known of the API, and how: documented, observed or assumed.',
  flags: {
    '--md': { text: 'print Markdown (default)', conflicts: ['html', 'json'] },
    '--html': { text: 'print an HTML page', conflicts: ['json'] },
    '--json': 'print JSON',
  },
  help: '\nExample:\n  npx understudy-api evidence --html > evidence.html',
  run(_args, { html }) {
    const catalogue = createCatalogue()
    const text = printReport(toReport(catalogue), html ? 'html' : 'md').trimEnd()
    return { json: catalogue, text }
  },
})

const intro =
  'documented: the documentation says so. observed: the live service was seen to do so. assumed: the most likely answer, or one that a robust client tolerates.'

function toReport(catalogue: Catalogue): Report {
  const { documentation, policies, constants } = catalogue
  const values = policies.flatMap(({ id, question, documented, live, values }) =>
    values.flatMap(({ value, meaning, evidence, source }) => {
      const numbers = [...new Set([documented, live])].filter(
        (each) => typeof each === 'number' && !values.some((other) => other.value === `${each}`),
      )
      // A number that no value names has a row for each value of a profile.
      const settings =
        value !== 'integer' ? [value] : numbers.length > 0 ? numbers : ['another number']
      return settings.map((setting) => {
        const profiles = [
          `${setting}` === `${documented}` && 'documented',
          `${setting}` === `${live}` && 'live',
        ]
        const shown = typeof setting === 'number' ? `${setting}, or another number` : setting
        const names = profiles.filter(Boolean).join(', ')
        return [id, `${question} ${meaning}`, shown, names, toned(evidence), source]
      })
    }),
  )
  const section = (title: string, columns: string[], rows: Cell[][]) => ({
    title,
    blocks: [{ columns, rows }],
  })
  return {
    title: 'What is known of the API, and how',
    intro: [intro],
    json: catalogue,
    sections: [
      section(
        'Policies',
        ['Policy', 'Answer', 'Setting', 'Profiles', 'Evidence', 'Source'],
        values,
      ),
      section(
        'Rules that no policy changes',
        ['Rule', 'Sentence', 'Evidence', 'Source'],
        constants.map(({ id, sentence, evidence, source }) => [
          id,
          sentence,
          toned(evidence),
          source,
        ]),
      ),
      section(
        'Statements of the documentation',
        ['Line', 'Statement', 'Cited by'],
        documentation.map(({ id, text, cited_by }) => [id, text, cited_by.join(', ')]),
      ),
    ],
  }
}

/** Evidence is a word, or several of them. */
function toned(text: string): Cell {
  const words: readonly string[] = ['documented', 'observed', 'assumed']
  return words.includes(text) ? { text, tone: text as Tone } : text
}
