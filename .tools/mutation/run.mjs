// Mutation testing: changes src in small ways, and lists the changes that no test notices.
//
// npm run mutation                     all folders; takes hours
// npm run mutation -- http/body.ts     folders or files below src
// npm run mutation -- --changed main   the files that differ from a commit (by default its parent)
// npm run mutation -- http/body.ts --tests transport/forms.test.ts,transport/bodies.test.ts
// npm run mutation -- world --sample 4 one mutant in four, always the same ones; --seed 2 takes others
//
// Compares the score of each file with test/mutation-scores.json, and fails if one is lower. --update writes the scores.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { samplePlaces } from './sample.mjs'

/** The folders or files of test that run for the mutants of a folder. All tests would take ten times as long. */
const tests = {
  policies: 'policies',
  http: 'http,transport,api,laws',
  api: 'api,http,laws,policies,analysis/report',
  world:
    'world,api,sandbox/*.test.ts,sandbox/unit,sandbox/history,sandbox/actors,sandbox/sandboxes',
  sandbox:
    'sandbox,analysis/reasons,scenarios/recording,transport/body-keys.test.ts,transport/neighbours.test.ts,http/throttle.test.ts,laws',
  scenarios:
    'scenarios,laws/refusals.test.ts,cli/replay/*.test.ts,cli/shrink.test.ts,cli/import.test.ts,server/control/scenarios.test.ts',
  analysis:
    'analysis,sandbox/journal,laws,api/annotations/client-mistakes.test.ts,cli/evidence.test.ts,cli/sweep,cli/drift.test.ts,cli/import*.test.ts,cli/observe.test.ts,cli/check.test.ts,cli/check,cli/explain.test.ts,cli/exec/reports.test.ts,cli/replay/*.test.ts,integrations/testing/sweep.test.ts',
}

/** The score, in percent, that a file without an earlier score needs. */
const lowestScore = 85

const output = join('node_modules', '.mutation')
const scoresFile = join('test', 'mutation-scores.json')

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
mkdirSync(output, { recursive: true })
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean' },
    update: { type: 'boolean' },
    tests: { type: 'string' },
    sample: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
})
const isSample = values.sample !== '1'
const paths = values.changed ? changedFiles(positionals[0] ?? 'HEAD~1') : positionals
const scores = JSON.parse(readFileSync(scoresFile, 'utf8'))
for (const folder of Object.keys(tests)) {
  const inFolder = paths.filter((path) => path === folder || path.startsWith(`${folder}/`))
  if (inFolder.length > 0 || (paths.length === 0 && !values.changed)) {
    compare(folder, await mutate(folder, inFolder.length > 0 ? inFolder : [folder]))
  }
}
if (values.update) writeFileSync(scoresFile, `${JSON.stringify(scores, null, 2)}\n`)

function changedFiles(commit) {
  const args = ['diff', '--name-only', '--diff-filter=d', commit, '--', 'src']
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replace(/^src\//, ''))
}

/** Returns the report: https://github.com/stryker-mutator/mutation-testing-elements */
async function mutate(folder, inFolder) {
  const report = join(output, `${folder}.report.json`)
  process.env.MUTATION_TESTS = values.tests ?? tests[folder]
  process.env.MUTATION_SAMPLE = values.sample
  process.env.MUTATION_SEED = values.seed
  const sources = inFolder.map((path) => `src/${path}`)
  await new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './.tools/mutation/sample.mjs'],
    checkers: isSample ? ['sample'] : [],
    vitest: { configFile: 'test/mutation.config.ts', related: false },
    mutate: isSample
      ? await samplePlaces(sources)
      : sources.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)),
    ignorePatterns: ['dist', 'test/bench', 'test/consumers'],
    coverageAnalysis: 'perTest',
    // Which of thousands of tests reaches which mutant takes gigabytes.
    testRunnerNodeArgs: ['--max-old-space-size=12000'],
    // A changed constant of a module needs all tests in a new process.
    ignoreStatic: true,
    incremental: !isSample,
    incrementalFile: join(output, `${folder}.json`),
    tempDirName: join(output, 'sandbox'),
    concurrency: 2,
    timeoutMS: 30_000,
    timeoutFactor: 2,
    dryRunTimeoutMinutes: 20,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: report },
    // Stryker rewrites a tsconfig.json with functions that TypeScript 7 no longer has. Vitest does not need it.
    tsconfigFile: 'none',
    disableTypeChecks: false,
    allowEmpty: true,
  }).runMutationTest()
  return JSON.parse(readFileSync(report, 'utf8'))
}

/** Prints the mutants that survived and the score of the folder, and fails if the score of a file is lower than before. */
function compare(folder, { files }) {
  const all = { killed: 0, survived: 0, ignored: 0 }
  for (const [path, { source, mutants }] of Object.entries(files)) {
    const name = path.replace(/^src\//, '')
    const survived = mutants.filter(isSurvivor)
    const killed = mutants.filter(({ status }) => ['Killed', 'Timeout'].includes(status)).length
    all.killed += killed
    all.survived += survived.length
    all.ignored += mutants.filter(({ status }) => status === 'Ignored').length
    if (killed + survived.length === 0) continue
    const score = Math.floor((100 * killed) / (killed + survived.length))
    const isLower = !isSample && score < (scores[name] ?? lowestScore)
    console.log(`${name}: ${score} % of ${killed + survived.length}${isLower ? ', too low' : ''}`)
    for (const { location, replacement, mutatorName, status } of survived) {
      const { line, column } = location.start
      const text = source.split('\n')[line - 1].trim()
      const reached = status === 'NoCoverage' ? ', which no test reaches' : ''
      console.log(
        `  ${line}:${column} ${mutatorName} ${replacement?.slice(0, 60)} in ${text}${reached}`,
      )
    }
    if (isLower && !values.update) process.exitCode = 1
    if (!isSample) scores[name] = score
  }
  const total = all.killed + all.survived
  console.log(
    `${folder}: ${percent(all.killed, total)} % of ${total} mutants, ${all.ignored} of constants ignored`,
  )
}

function isSurvivor({ status }) {
  return status === 'Survived' || status === 'NoCoverage'
}

function percent(part, total) {
  return ((100 * part) / total).toFixed(1)
}
