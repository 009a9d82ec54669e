import process from 'node:process'
import { Argument, Command } from 'commander'
import { policies, policyIds } from '../policies/policies.ts'
import type { Policy } from '../policies/policy.ts'
import { didYouMean } from '../utils/did-you-mean.ts'
import { unexpectedValue } from '../utils/usage-error.ts'
import { offering } from './offering.ts'
import { type Paint, painter, printJson } from './output/print.ts'

/** Everything the document leaves open, with what it can be set to. */
export function policiesCommand(): Command {
  return new Command('policies')
    .description('List the policies: what the document leaves open, and what each can be set to.')
    .addArgument(offering(new Argument('[text]', 'only those whose id holds this text'), policyIds))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy policies annotations\n  understudy policies --json\n\nSet one with understudy serve --policy id=value.',
    )
    .action((text: string | undefined, { json }: { json?: boolean }) => {
      const found = Object.entries(policies).filter(([id]) => id.includes(text ?? ''))
      if (found.length === 0) {
        const words = policyIds.flatMap((id) => id.split(/[._]/))
        const meant = didYouMean(text ?? '', [...policyIds, ...words])
        throw unexpectedValue('list policies', 'a text that some id holds', text, meant)
      }
      if (json) return printJson(Object.fromEntries(found))
      const paint = painter(process.stdout)
      console.log(found.map(([id, policy]) => describe(id, policy, paint)).join('\n\n'))
    })
}

function describe(
  id: string,
  { question, values, documented, live }: Policy,
  paint: Paint,
): string {
  const lines = Object.entries(values).map(
    ([word, { meaning, evidence, source, minimum, maximum }]) => {
      const isNumber = word === 'integer'
      const value = isNumber ? `${minimum} to ${maximum}` : word
      const range = isNumber ? ` (documented ${documented}, live ${live})` : ''
      const marks = [value === documented ? 'documented' : '', value === live ? 'live' : '']
      const profiles = marks.filter(Boolean).join(', ')
      const why = paint('faint', `[${evidence}: ${source}]`)
      return `  ${paint('name', value)}${range}${profiles ? ` (${profiles})` : ''}: ${meaning} ${why}`
    },
  )
  return [paint('strong', id), `  ${question}`, ...lines].join('\n')
}
