import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { root } from './cli.ts'
import { once } from './once.ts'

/** A project that has installed the package beside a version of MSW. */
export interface Consumer {
  /** Of its folder */
  readonly name: string
  readonly msw: string
  /** The major version of the Node it runs on. */
  readonly node: number
  /** What else it has installed. */
  readonly also: readonly string[]
}

const { platform, arch } = process
const own = Number(process.versions.node.split('.')[0])
// msw 3 asks for Node 22, which comes from npm too: this package is what node@22 installs by its script.
const node22 = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
const types = ['@types/node@20', '@types/express@5']
// They make clients of an OpenAPI document, and ask for TypeScript 5; the last one for Node 20.
const generator = ['openapi-typescript@7.13', 'openapi-fetch@0.17', '@hey-api/openapi-ts@0.95.0']
const runners = ['vitest@4.1', 'jest@30']

export const consumers: readonly Consumer[] = [
  { name: '2.12.0', msw: '2.12.0', node: own, also: [] },
  {
    name: '2.15.0',
    msw: '2.15.0',
    node: own,
    also: ['typescript@5.9', ...types, ...generator, ...runners],
  },
  { name: '3.0.5', msw: '3.0.5', node: Math.max(own, 22), also: [`${node22}@22`, ...types] },
]

/** What the README asks its reader to install, and no more. */
export const reader: Consumer = {
  name: 'reader',
  msw: '2.15.0',
  node: own,
  also: [...types, 'vitest@4.1'],
}

const folder = inject('consumers')
const exec = promisify(execFile)

export function at({ name }: Consumer, ...names: string[]): string {
  return join(folder, name, ...names)
}

/** The Node of a consumer. */
export function nodeOf(consumer: Consumer): string {
  if (consumer.node === own) return process.execPath
  const names = platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node']
  return at(consumer, 'node_modules', node22, ...names)
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
  const packed = await once(folder, 'packed', pack)
  for (const consumer of wanting) await once(folder, consumer.name, () => install(consumer, packed))
  return packed
}

async function pack(): Promise<Packed> {
  // Without scripts: `prepare` would build, and with it take away what other tests are running.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', args, { cwd: root })
  const [{ filename, files, size }] = JSON.parse(stdout)
  return { filename, size, files: files.map(({ path }: { path: string }) => path) }
}

/** The first one and the reader from nothing; the others as who has that and installs another version of MSW beside it. */
async function install(consumer: Consumer, packed: Packed): Promise<true> {
  const [first] = consumers as [Consumer]
  const wanted = [`msw@${consumer.msw}`, ...consumer.also]
  if (consumer === first || consumer === reader) {
    mkdirSync(at(consumer))
    writeFileSync(at(consumer, 'package.json'), '{"private":true,"type":"module"}')
    wanted.push(join(folder, packed.filename))
  } else {
    await once(folder, first.name, () => install(first, packed))
    await copyFolder(at(first), at(consumer))
  }
  await cp(join(root, 'test', 'consumers'), at(consumer), { recursive: true })
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await exec('npm', ['install', ...wanted, ...flags], { cwd: at(consumer) })
  return true
}

/** By links where the system makes them at once, as thousands of files take seconds; npm never writes into one. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (platform !== 'linux') return cp(from, to, { recursive: true, verbatimSymlinks: true })
  await exec('cp', ['-al', from, to])
  // But for its own notes: those become files of their own.
  for (const name of ['package.json', 'package-lock.json', 'node_modules/.package-lock.json']) {
    await rm(join(to, name))
    await cp(join(from, name), join(to, name))
  }
}
