// The sample of npm run mutation -- --sample 4: one mutant in MUTATION_SAMPLE. The choice is a hash of MUTATION_SEED and of
// the mutant, so that it is the same in each run.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'

const isChosen = ({ fileName, location, replacement }) => {
  const name = resolve(fileName).replace(/^.*\/src\//, '')
  const text = JSON.stringify([process.env.MUTATION_SEED, name, location, replacement])
  return (
    createHash('sha256').update(text).digest().readUInt32LE() % process.env.MUTATION_SAMPLE === 0
  )
}

/**
 * The places of the chosen mutants, as StrykerJS names what to mutate. It instruments nothing else: a run of thousands
 * of tests with all mutants of a folder takes minutes and gigabytes.
 */
export async function samplePlaces(paths) {
  const files = paths
    .flatMap(sources)
    .map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }))
  const logger = { debug() {}, info() {}, isDebugEnabled: () => false }
  const options = { ignorers: [], excludedMutations: [], plugins: null }
  const { mutants } = await new Instrumenter(logger).instrument(files, options)
  return mutants
    .filter(isChosen)
    .map(({ fileName, location: { start, end } }) => `${fileName}:${place(start)}-${place(end)}`)
}

function sources(path) {
  if (path.endsWith('.ts')) return path
  const names = readdirSync(path, { recursive: true }).filter((name) => name.endsWith('.ts'))
  return names.map((name) => `${path}/${name.replaceAll(sep, '/')}`)
}

const place = ({ line, column }) => `${line + 1}:${column}`

/** Leaves out what is at the place of a chosen mutant, but was not chosen. */
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
