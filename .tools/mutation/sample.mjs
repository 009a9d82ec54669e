// A checker of StrykerJS that leaves out all but one mutant in MUTATION_SAMPLE (npm run mutation -- --sample 4). Its
// choice is a hash of the mutant, so that it is the same in each run.
import { createHash } from 'node:crypto'

const isChosen = ({ id, fileName }) => {
  const name = fileName.replace(/^.*\/src\//, '')
  return (
    createHash('sha256').update(`${name} ${id}`).digest().readUInt32LE() %
      process.env.MUTATION_SAMPLE ===
    0
  )
}

const check = (mutants) =>
  mutants.map((mutant) => [
    mutant.id,
    isChosen(mutant)
      ? { status: 'passed' }
      : { status: 'compileError', reason: 'Not in the sample' },
  ])

export const strykerPlugins = [
  {
    kind: 'Checker',
    name: 'sample',
    value: {
      init: async () => {},
      check: async (mutants) => Object.fromEntries(check(mutants)),
    },
  },
]
