import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { root } from '../cli/command.ts'
import { exec } from '../exec.ts'
import { runOnce } from './once.ts'

/** A project that has installed the package beside a version of MSW. */
export interface Consumer {
  /** The name of its folder */
  readonly name: string
  /** The folder of `test/consumers` that it is a copy of. Its package.json may list more dependencies. */
  readonly of: string
  readonly msw: string
  /** The major version of Node */
  readonly node: number
  /** Further packages to install */
  readonly also: readonly string[]
  /** Whether install scripts run, as they do by default. */
  readonly withScripts?: boolean
  /** A consumer whose installed packages are copied first. */
  readonly from?: Consumer
}

/** Whether more projects, and the oldest and the newest versions, are tried: `.ci/release`. */
export const isRelease = process.env.RELEASE === '1'

const { platform, arch } = process
const own = Number(process.versions.node.split('.')[0])
// msw 3 requires Node 22, which npm can install, too: the install script of node@22 adds this package.
const node22 = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
const types = ['@types/node@20', '@types/express@5']

/** The oldest version of MSW that the package supports, the newest 2.x, and 3. */
export const mswVersions = { floor: '2.12.0', two: '2.15.0', three: '3.0.5' } as const
const { floor, two, three } = mswVersions
/** The requirements of msw 3. */
export const forThree = { node: Math.max(own, 22), also: [`${node22}@22`] } as const

const first: Consumer = {
  name: two,
  of: 'scripts',
  msw: two,
  node: own,
  also: ['typescript@5.9', ...types],
}
const versions: readonly Consumer[] = [
  { ...first, name: floor, msw: floor, also: [], from: first },
  { ...first, ...forThree, name: three, msw: three, from: first },
]

/** The package beside msw 2; for a release also beside the other versions. */
export const consumers: readonly [Consumer, ...Consumer[]] = [first, ...(isRelease ? versions : [])]

/** Installs only the packages that the README names. */
export const readmeConsumer: Consumer = { ...first, name: 'reader', also: types }

/** Follows the section Installation of the README, with install scripts. */
export const plainConsumer: Consumer = {
  ...first,
  name: 'installed',
  msw: '2',
  of: 'none',
  withScripts: true,
}

const folder = inject('consumers')

export function consumerPath({ name }: Consumer, ...names: string[]): string {
  return join(folder, name, ...names)
}

/** The path of the Node of a consumer. */
export function nodeOf(consumer: Consumer): string {
  if (consumer.node === own) return process.execPath
  const names = platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node']
  return consumerPath(consumer, 'node_modules', node22, ...names)
}

/** The packed package. */
export interface Packed {
  /** `understudy-api-0.1.0.tgz` */
  readonly filename: string
  /** The paths of its files */
  readonly files: readonly string[]
  /** The size of the tarball in bytes */
  readonly size: number
}

/** Packs the built package and installs it for some consumers, once for all test files. */
export async function installPackage(installing: readonly Consumer[] = consumers): Promise<Packed> {
  const packed = await runOnce(folder, 'packed', pack)
  for (const consumer of installing) await installConsumer(consumer)
  return packed
}

/** Installs the package for a consumer, once for all test files. @returns the output of npm */
export async function installConsumer(consumer: Consumer): Promise<string> {
  const packed = await runOnce(folder, 'packed', pack)
  return runOnce(folder, consumer.name, () => install(consumer, packed))
}

async function pack(): Promise<Packed> {
  // Without scripts: `prepack` would rebuild the files that other tests use.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', args, { cwd: root })
  const [{ filename, files, size }] = JSON.parse(stdout)
  return { filename, size, files: files.map(({ path }: { path: string }) => path) }
}

async function install(consumer: Consumer, packed: Packed): Promise<string> {
  const { of, msw, also, from } = consumer
  const packages = [`msw@${msw}`, ...also]
  mkdirSync(consumerPath(consumer))
  const project = join(root, 'test', 'consumers', of)
  if (existsSync(project)) cpSync(project, consumerPath(consumer), { recursive: true })
  if (!existsSync(consumerPath(consumer, 'package.json')))
    writeFileSync(consumerPath(consumer, 'package.json'), '{"private":true,"type":"module"}')
  if (from) {
    await installConsumer(from)
    await copyInstalled(from, consumer)
  } else {
    packages.push(join(folder, packed.filename))
  }
  return npmInstall(consumer, packages)
}

/** Installs more packages in a project. @returns the output of npm */
export async function npmInstall(consumer: Consumer, packages: readonly string[]): Promise<string> {
  const flags = ['--save-dev', '--prefer-offline', '--no-audit', '--no-fund']
  if (!consumer.withScripts) flags.push('--ignore-scripts')
  const cwd = consumerPath(consumer)
  const { stdout, stderr } = await exec('npm', ['install', ...packages, ...flags], { cwd })
  return stdout + stderr
}

/** Copies the installed packages, by hard links if possible: copying thousands of files takes seconds. npm never writes into a file. */
async function copyInstalled(from: Consumer, to: Consumer): Promise<void> {
  const [installed, copy] = [consumerPath(from, 'node_modules'), consumerPath(to, 'node_modules')]
  if (platform === 'linux') await exec('cp', ['-al', installed, copy])
  else await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  // These are written to: npm's own files, and a cache of Vite.
  await rm(join(copy, '.vite'), { recursive: true, force: true })
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    await rm(consumerPath(to, name), { force: true })
    await cp(consumerPath(from, name), consumerPath(to, name))
  }
}
