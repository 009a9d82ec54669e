import { Command } from 'commander'
import { policies } from '../policies/policies.ts'
import type { Policy } from '../policies/policy.ts'

/** Everything the document leaves open, with what it can be set to. */
export function policiesCommand(): Command {
  return new Command('policies')
    .description('List the policies: what the document leaves open, and what each can be set to.')
    .argument('[text]', 'only those whose id holds this text')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  understudy policies annotations\n  understudy policies --json\n\nSet one with understudy serve --policy id=value.',
    )
    .action((text: string | undefined, { json }: { json?: boolean }) => {
      const found = Object.entries(policies).filter(([id]) => id.includes(text ?? ''))
      if (json) console.log(JSON.stringify(Object.fromEntries(found), null, 2))
      else console.log(found.map(([id, policy]) => describe(id, policy)).join('\n\n'))
    })
}

function describe(id: string, { question, values, documented, live }: Policy): string {
  const lines = Object.entries(values).map(([value, { says, evidence, source }]) => {
    const range = 'integer' in values ? ` (documented ${documented}, live ${live})` : ''
    const marks = [value === documented ? 'documented' : '', value === live ? 'live' : '']
    const profiles = marks.filter(Boolean).join(', ')
    return `  ${value}${range}${profiles ? ` (${profiles})` : ''}: ${says} [${evidence}: ${source}]`
  })
  return [id, `  ${question}`, ...lines].join('\n')
}
