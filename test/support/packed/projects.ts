import { existsSync } from 'node:fs'
import { exec } from '../exec.ts'
import { type Consumer, consumerPath, forThree, installConsumer, mswVersions } from './consumers.ts'
import { npmInstall } from './install.ts'

/** A project that uses the package like the README: a copy of a folder of `test/consumers`. */
export function projectOf(of: string): Consumer {
  const node = Number(process.versions.node.split('.')[0])
  const from = of === 'generated-clients' ? 'five' : 'seven'
  return { name: of, of, msw: mswVersions.two, node, also: [], from }
}

/** A run of the tests of a project. */
export interface ProjectRun {
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
export async function* runProject(
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
