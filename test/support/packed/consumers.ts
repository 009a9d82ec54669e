import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { root } from '../cli/command.ts'
import { exec } from '../exec.ts'
import { type Installation, isRelease, npmInstall } from './install.ts'

/** A project that has installed the package beside a version of MSW. */
export interface Consumer {
  /** The name of its folder */
  readonly name: string
  /** The folder of `test/consumers` that it is a copy of. Its package.json may list more dependencies. */
  readonly of: string
  /** Whether it has the files of `pages`, too */
  readonly hasPages?: boolean
  readonly msw: string
  /** The major version of Node */
  readonly node: number
  /** Further packages to install */
  readonly also: readonly string[]
  /** The installation that it copies. It then installs only what that one lacks. */
  readonly from?: Installation
}

const { platform, arch } = process
const own = Number(process.versions.node.split('.')[0])
// msw 3 requires Node 22, which npm can install, too: the install script of node@22 adds this package.
const node22 = `node-${platform === 'win32' ? 'win' : platform}-${arch}`

/** The oldest version of MSW that the package supports, the newest 2.x, and 3. */
export const mswVersions = { floor: '2.13.0', two: '2.15.0', three: '3.0.5' } as const
const { floor, two, three } = mswVersions
/** The requirements of msw 3. */
export const forThree = { node: Math.max(own, 22), also: [`${node22}@22`] } as const

const first: Consumer = { name: two, of: 'scripts', msw: two, node: own, also: [], from: 'five' }
const versions: readonly Consumer[] = [
  { ...first, name: floor, msw: floor },
  { ...first, ...forThree, name: three, msw: three },
]

/** The package beside msw 2; for a release also beside the other versions. */
export const consumers: readonly [Consumer, ...Consumer[]] = [first, ...(isRelease ? versions : [])]

const folder = inject('consumers')
const shared = inject('shared')

/** The packed package. */
export const packed = inject('packed')

/** The path of the packed package. */
export const tarball: string = join(folder, packed.filename)

export function consumerPath({ name }: Pick<Consumer, 'name'>, ...names: string[]): string {
  return join(folder, name, ...names)
}

/** The path of the Node of a consumer. */
export function nodeOf(consumer: Consumer): string {
  if (consumer.node === own) return process.execPath
  const names = platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node']
  return consumerPath(consumer, 'node_modules', node22, ...names)
}

/** Installs the package in a copy of a project. @returns what npm printed */
export async function installConsumer(consumer: Consumer): Promise<string> {
  const { of, hasPages, msw, also, from } = consumer
  const cwd = consumerPath(consumer)
  mkdirSync(cwd)
  for (const folder of [of, ...(hasPages ? ['pages'] : [])]) {
    const project = join(root, 'test', 'consumers', folder)
    if (existsSync(project)) cpSync(project, cwd, { recursive: true })
  }
  const manifest = existsSync(join(cwd, 'package.json')) ? readManifest(cwd) : none
  const { dependencies = {}, devDependencies = {} } = manifest
  const listed = Object.entries({ ...dependencies, ...devDependencies })
  const needed = [`msw@${msw}`, ...also, ...listed.map((entry) => entry.join('@'))]
  if (!from) {
    writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, ...manifest }))
    return npmInstall(cwd, [tarball, ...needed])
  }
  await copyInstallation(from, cwd)
  writeFileSync(
    join(cwd, 'package.json'),
    JSON.stringify({
      ...manifest,
      dependencies: {},
      ...readManifest(consumerPath({ name: from })),
      type: manifest.type,
    }),
  )
  const { packages, output } = shared[from]
  const missing = needed.filter((name) => !packages.includes(name))
  return missing.length === 0 ? output : npmInstall(cwd, missing)
}

const none: Manifest = { type: 'module' }

interface Manifest {
  readonly type?: string
  readonly scripts?: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Copies the installed packages, by hard links if possible: copying thousands of files takes seconds. npm never writes into a file. */
export async function copyInstallation(name: Installation, target: string): Promise<void> {
  const [installed, copy] = [consumerPath({ name }, 'node_modules'), join(target, 'node_modules')]
  if (platform === 'linux') await exec('cp', ['-al', installed, copy])
  else await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  // npm writes to these files.
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
    await rm(join(target, file), { force: true })
    await cp(consumerPath({ name }, file), join(target, file))
  }
}
