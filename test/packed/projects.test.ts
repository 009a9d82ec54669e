import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { chromiumPath } from '../support/browser/chromium-path.ts'
import { root } from '../support/cli/command.ts'
import { exec } from '../support/exec.ts'
import { freePort } from '../support/free-port.ts'
import {
  type Consumer,
  consumerPath,
  forThree,
  installConsumer,
  mswVersions,
} from '../support/packed/consumers.ts'
import { isRelease, npmInstall } from '../support/packed/install.ts'
import { isInstalled } from '../support/packed/is-installed.ts'

/** A project that uses the package like the README: a copy of a folder of `test/consumers`. */
function projectOf({ of, hasPages = false }: Project): Consumer {
  const node = Number(process.versions.node.split('.')[0])
  const from = of === 'generated-clients' ? 'five' : 'seven'
  return { name: of, of, hasPages, msw: mswVersions.two, node, also: [], from }
}

/** A run of the tests of a project. */
interface ProjectRun {
  /** The source of the package, such as `file:understudy-api-0.1.0.tgz` */
  readonly package: string
  /** The installed versions of msw */
  readonly msw: readonly string[]
  readonly node: string
  readonly tests: number
  /** The warnings of npm: deprecated packages, conflicting peers, scripts. */
  readonly warnings: readonly string[]
}

/** Installs a project in an empty folder, and runs its `npm test` with some versions of MSW, first with its own. A version can be followed by more packages. */
async function* runProject(
  project: Consumer,
  [, ...others]: readonly string[],
  variables: Variables = {},
): AsyncGenerator<ProjectRun> {
  yield run(project, await installConsumer(project), variables)
  for (const version of others) {
    const [msw, ...more] = version.split(' ')
    // Vitest 5 needs Node 22, too, and its types.
    const also = msw === mswVersions.three || more.length > 0 ? forThree.also : []
    const types = more.length > 0 ? ['@types/node@22'] : []
    const packages = [`msw@${msw}`, ...more, ...also, ...types]
    yield run(project, await npmInstall(consumerPath(project), packages), variables)
  }
}

type Variables = Readonly<Record<string, string>>

async function run(
  project: Consumer,
  installOutput: string,
  variables: Variables,
): Promise<ProjectRun> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_)/.test(name))
  const env = { ...Object.fromEntries(own), NO_COLOR: '1', ...variables }
  const cwd = consumerPath(project)
  const { stdout, stderr } = await exec('npm', ['test'], { cwd, env }).catch((error: Failed) => {
    throw new Error(`${project.name} failed:\n${error.stdout}${error.stderr}`)
  })
  // It fails for a conflicting peer: Vitest 4.1 requires msw 2, without using it.
  const list = await exec('npm', ['ls', 'understudy-api', 'msw', '--all', '--json'], { cwd }).catch(
    (error: Failed) => error,
  )
  const listed = JSON.parse(list.stdout) as Listed
  // npm prepends this folder to the PATH of its scripts.
  const ownNode = consumerPath(project, 'node_modules', '.bin', 'node')
  const node = await exec(existsSync(ownNode) ? ownNode : 'node', ['-v'])
  return {
    package: listed.dependencies?.['understudy-api']?.resolved?.replace(/[^:]*\//, '') ?? 'none',
    msw: [...new Set(mswIn(listed))],
    node: node.stdout.trim(),
    tests: testsOf(stdout + stderr),
    warnings: installOutput.split('\n').filter((line) => warning.test(line)),
  }
}

interface Failed {
  readonly stdout: string
  readonly stderr: string
}

const warning = /deprecated|ERESOLVE|peer|install-scripts.*understudy/i

/** How runners say the number of tests: Vitest and pytest, node:test, unittest, JUnit, Minitest, PHPUnit, NUnit. */
const counts = [
  ...[/(\d+) passed/, /^(?:#|ℹ) pass (\d+)$/, /^Ran (\d+) tests?/, /(\d+) tests successful/],
  ...[/^(\d+) runs,/, /^OK \((\d+) tests/, /^Tests run: (\d+),/],
]

/** Reads the number of tests from the output of runners. Vitest and Jest count files before they count tests. */
function testsOf(printed: string): number {
  const subtests = printed.match(/^ +--- PASS/gm)
  if (subtests) return subtests.length
  const numbers = counts.map((count) => [...printed.matchAll(new RegExp(count, 'gm'))].at(-1)?.[1])
  return numbers.reduce((sum, number = '0') => sum + Number(number), 0)
}

/** The output of `npm ls --json`. */
interface Listed {
  readonly version?: string
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, Listed>>
}

function mswIn({ dependencies = {} }: Listed): string[] {
  return Object.entries(dependencies).flatMap(([name, dependency]) => [
    ...(name === 'msw' && dependency.version ? [dependency.version] : []),
    ...mswIn(dependency),
  ])
}

// Projects that use the package. The README shows some of their files.

/** What uses the package. Some of it, and the oldest and the newest msw, are tried for a release only. */
interface Project {
  readonly of: string
  /** Whether it has the files of `test/consumers/pages`, too */
  readonly hasPages?: boolean
  readonly tests: number
  /** What the machine must have: a command, a command line or a path */
  readonly needs?: string
  readonly versions?: readonly string[]
  readonly atRelease?: true
}

const { two, floor, three } = mswVersions
/** Those that run with Vitest 5, too */
const withFive = [two, floor, three].map((msw) => `${msw} vitest@5`)
/** The projects with the files of `test/consumers/pages`, and the numbers of their tests */
const frameworks = {
  next: 3,
  sveltekit: 3,
  'react-router': 4,
  astro: 3,
  angular: 3,
  nuxt: 2,
  ssr: 3,
}
const projects: readonly Project[] = [
  { of: 'vitest', tests: 22 },
  { of: 'vitest-msw', tests: 12, atRelease: true },
  { of: 'vitest-browser', tests: 14, needs: chromiumPath, atRelease: true },
  { of: 'entries', tests: 34, versions: [two], atRelease: true },
  { of: 'dom', tests: 16, versions: [two, three], atRelease: true },
  { of: 'doors', tests: 458, versions: [two, floor, three, ...withFive], atRelease: true },
  { of: 'clients', tests: 159, versions: [two], atRelease: true },
  // msw 3 has no `msw/native`.
  { of: 'metro', tests: 1, versions: [two], atRelease: true },
  { of: 'storybook', tests: 2, needs: chromiumPath, versions: [two, three], atRelease: true },
  ...Object.entries(frameworks).map(
    ([of, tests]): Project => ({
      ...{ of, hasPages: true, tests, needs: chromiumPath, atRelease: true },
      versions: [of === 'next' ? two : three],
    }),
  ),
  { of: 'jest', tests: 6, atRelease: true },
  { of: 'jest-commonjs', tests: 2, versions: [two], atRelease: true },
  { of: 'node-test', tests: 7 },
  { of: 'fleet', tests: 3, needs: 'nginx -v', versions: [two] },
  { of: 'playwright', tests: 8, needs: chromiumPath },
  { of: 'vite-react', tests: 4, needs: chromiumPath },
  { of: 'runtimes', tests: 24, versions: [two], atRelease: true },
  { of: 'typescript', tests: 5, atRelease: true },
  { of: 'generated-clients', tests: 9, versions: [two], atRelease: true },
  { of: 'types', tests: 7, versions: [two, `${two} vitest@5`] },
  { of: 'typed-eslint', tests: 2, versions: [two], atRelease: true },
  // Clients in other languages, which do not use msw themselves.
  { of: 'python', tests: 3, needs: 'python3', versions: [two], atRelease: true },
  { of: 'pytest', tests: 3, needs: 'pytest', versions: [two] },
  { of: 'go', tests: 2, needs: 'go', versions: [two], atRelease: true },
  {
    of: 'junit',
    tests: 2,
    needs: '/usr/share/java/junit-platform-console.jar',
    versions: [two],
    atRelease: true,
  },
  { of: 'ruby', tests: 2, needs: 'ruby -rminitest -e 1', versions: [two], atRelease: true },
  { of: 'csharp', tests: 2, needs: 'nunit-console', versions: [two], atRelease: true },
  { of: 'php', tests: 2, needs: 'phpunit', versions: [two], atRelease: true },
  // With Docker the image, else the same server as a process.
  { of: 'testcontainers', tests: 1, versions: [two], atRelease: true },
]
const chosen = projects.filter(({ atRelease }) => isRelease || !atRelease)

test('every project is run', () => {
  const folders = readdirSync(join(root, 'test', 'consumers'))

  expect(folders.filter((name) => !['scripts', 'pages'].includes(name)).sort()).toEqual(
    projects.map(({ of }) => of).sort(),
  )
})

test.for(chosen)('$of passes beside each msw', { concurrent: true }, async (project, context) => {
  const { tests, needs, versions: all = [two, floor, three] } = project
  context.skip(needs !== undefined && !isInstalled(needs), `no ${needs}`)
  const runs: ProjectRun[] = []
  // The port of a project that starts a server.
  const variables = { PORT: String(await freePort()), CHROMIUM: chromiumPath }
  const versions = isRelease ? all : all.slice(0, 1)
  const installed = versions[0] === three ? { ...forThree, msw: three } : {}
  for await (const run of runProject({ ...projectOf(project), ...installed }, versions, variables))
    runs.push(run)

  // Of a test that runs beside others.
  const { expect } = context
  expect(runs.map(({ msw }) => msw)).toEqual(versions.map((version) => [version.split(' ')[0]]))
  for (const run of runs) {
    context.expect.soft(run.package).toMatch(/^file:understudy-api-[\d.]+\.tgz$/)
    context.expect.soft([run.tests, run.warnings]).toEqual([tests, []])
  }
  if (versions.includes(three)) expect(runs.at(-1)?.node).toMatch(/^v(2[2-9]|[3-9]\d)\./)
})
