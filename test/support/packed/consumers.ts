import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { root } from '../cli/command.ts'
import { exec } from '../exec.ts'
import { runOnce } from './once.ts'

/** A project that has installed the package beside a version of MSW. */
export interface Consumer {
  /** Of its folder */
  readonly name: string
  /** Which folder of `test/consumers` it is a copy of; its package.json, where it has one, says what else it needs. */
  readonly of: string
  readonly msw: string
  /** The major version of the Node it runs on. */
  readonly node: number
  /** What else it has installed. */
  readonly also: readonly string[]
  /** Whether scripts of what is installed run, as they do where nobody says otherwise. */
  readonly withScripts?: boolean
  /** Who has installed the package before, beside another version of MSW; by itself, where nobody has. */
  readonly from?: Consumer
}

const { platform, arch } = process
const own = Number(process.versions.node.split('.')[0])
// msw 3 asks for Node 22, which comes from npm too: this package is what node@22 installs by its script.
const node22 = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
const types = ['@types/node@20', '@types/express@5']
// They make clients of an OpenAPI document, and ask for TypeScript 5; the last one for Node 20.
const generator = ['openapi-typescript@7.13', 'openapi-fetch@0.17', '@hey-api/openapi-ts@0.95.0']

/** The oldest MSW that the package takes, the newest of 2, and 3, which brings its Node along. */
export const mswVersions = { floor: '2.12.0', two: '2.15.0', three: '3.0.5' } as const
const { floor, two, three } = mswVersions
/** What msw 3 needs, and the Node it then runs on. */
export const forThree = { node: Math.max(own, 22), also: [`${node22}@22`] } as const

const first: Consumer = { name: floor, of: 'scripts', msw: floor, node: own, also: [] }
export const consumers: readonly Consumer[] = [
  first,
  { ...first, name: two, msw: two, also: ['typescript@5.9', ...types, ...generator], from: first },
  {
    ...first,
    ...forThree,
    name: three,
    msw: three,
    also: [...forThree.also, ...types],
    from: first,
  },
]

/** What the README asks its reader to install, and no more. */
export const readmeConsumer: Consumer = { ...first, name: 'reader', msw: two, also: types }

/** What the README asks under Installation, with the scripts that npm would run. */
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

/** The Node of a consumer. */
export function nodeOf(consumer: Consumer): string {
  if (consumer.node === own) return process.execPath
  const names = platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node']
  return consumerPath(consumer, 'node_modules', node22, ...names)
}

/** A package, packed. */
export interface Packed {
  /** `understudy-api-0.1.0.tgz` */
  readonly filename: string
  /** Paths of what is in it */
  readonly files: readonly string[]
  /** How many bytes the tarball has */
  readonly size: number
}

/** Packs the package as it was built, and installs it for some consumers: once for all test files. */
export async function installPackage(wanting: readonly Consumer[] = consumers): Promise<Packed> {
  const packed = await runOnce(folder, 'packed', pack)
  for (const consumer of wanting) await installConsumer(consumer)
  return packed
}

/** Installs the package for one. @returns what npm said, as at the first time */
export async function installConsumer(consumer: Consumer): Promise<string> {
  const packed = await runOnce(folder, 'packed', pack)
  return runOnce(folder, consumer.name, () => install(consumer, packed))
}

async function pack(): Promise<Packed> {
  // Without scripts: `prepack` would build, and with it take away what other tests are running.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', args, { cwd: root })
  const [{ filename, files, size }] = JSON.parse(stdout)
  return { filename, size, files: files.map(({ path }: { path: string }) => path) }
}

async function install(consumer: Consumer, packed: Packed): Promise<string> {
  const { of, msw, also, from } = consumer
  const wanted = [`msw@${msw}`, ...also]
  mkdirSync(consumerPath(consumer))
  const project = join(root, 'test', 'consumers', of)
  if (existsSync(project)) cpSync(project, consumerPath(consumer), { recursive: true })
  if (!existsSync(consumerPath(consumer, 'package.json')))
    writeFileSync(consumerPath(consumer, 'package.json'), '{"private":true,"type":"module"}')
  if (from) {
    await installConsumer(from)
    await copyInstalled(from, consumer)
  } else {
    wanted.push(join(folder, packed.filename))
  }
  return npmInstall(consumer, wanted)
}

/** Installs more in a project. @returns what npm said */
export async function npmInstall(consumer: Consumer, wanted: readonly string[]): Promise<string> {
  const flags = ['--save-dev', '--prefer-offline', '--no-audit', '--no-fund']
  if (!consumer.withScripts) flags.push('--ignore-scripts')
  const cwd = consumerPath(consumer)
  const { stdout, stderr } = await exec('npm', ['install', ...wanted, ...flags], { cwd })
  return stdout + stderr
}

/** By links where the system makes them at once, as thousands of files take seconds; npm never writes into one. */
async function copyInstalled(from: Consumer, to: Consumer): Promise<void> {
  const [installed, copy] = [consumerPath(from, 'node_modules'), consumerPath(to, 'node_modules')]
  if (platform === 'linux') await exec('cp', ['-al', installed, copy])
  else await cp(installed, copy, { recursive: true, verbatimSymlinks: true })
  // What is written into: npm's own notes, and what tools keep beside the packages.
  await rm(join(copy, '.vite'), { recursive: true, force: true })
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    await rm(consumerPath(to, name), { force: true })
    await cp(consumerPath(from, name), consumerPath(to, name))
  }
}
