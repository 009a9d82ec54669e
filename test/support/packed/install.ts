import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { exec } from '../exec.ts'
import { root } from '../root.ts'

/** The packed package. */
export interface Packed {
  /** `understudy-api-0.1.0.tgz` */
  readonly filename: string
  /** The paths of its files */
  readonly files: readonly string[]
  /** The size of the tarball in bytes */
  readonly size: number
}

/** What several projects have installed, and what npm printed. */
export interface Shared {
  readonly packages: readonly string[]
  readonly output: string
}

/** Whether more projects, and the oldest and the newest versions, are tried: `.ci/release`. */
export const isRelease = process.env.RELEASE === '1'

const types = ['@types/node@20', '@types/express@5']
const runners = ['vitest@4.1', '@playwright/test@1.65']
/** What `generated-clients` runs. */
const generators = [
  ...['@hey-api/openapi-ts@0.95.0', 'orval@7.13.0', '@kubb/cli@4.39.3', '@kubb/core@4.39.3'],
  ...['@kubb/plugin-client@4.39.3', '@kubb/plugin-oas@4.39.3', '@kubb/plugin-ts@4.39.3'],
]

/**
 * The installations that projects share, by the names of their folders: an installation takes ten seconds. `reader` has
 * what the README names, with install scripts, and what its examples need to compile.
 */
const installations = {
  reader: ['msw@2', ...types],
  five: [
    ...['msw@2.15.0', 'typescript@5.9', 'typescript-7@npm:typescript@7.0', ...types, ...runners],
    ...['openapi-fetch@0.17.0', 'openapi-typescript@7.13.0', ...(isRelease ? generators : [])],
  ],
  seven: [
    ...['msw@2.15.0', 'typescript@7.0', '@types/node@20', ...runners, 'playwright-core@1.65'],
    ...['react@19', 'react-dom@19', '@types/react@19', '@types/react-dom@19'],
    ...['vite@8', '@vitejs/plugin-react@6', 'typescript-5.9@npm:typescript@5.9'],
  ],
} as const

export type Installation = keyof typeof installations

/** Packs the package and installs it, once for all test files of a run. The folder is removed afterwards. */
export default async function installOnce(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'understudy-package-'))
  const packed = await pack(folder)
  const tarball = join(folder, packed.filename)
  const entries = Object.entries(installations).map(async ([name, packages]) => {
    const cwd = join(folder, name)
    mkdirSync(cwd)
    writeFileSync(join(cwd, 'package.json'), '{"private":true,"type":"module"}')
    const output = await npmInstall(cwd, [tarball, ...packages], name === 'reader')
    return [name, { packages, output }] as const
  })
  project.provide('consumers', folder)
  project.provide('packed', packed)
  project.provide('shared', Object.fromEntries(await Promise.all(entries)) as never)
  return () => rm(folder, { recursive: true, force: true })
}

async function pack(folder: string): Promise<Packed> {
  // Without scripts: `prepack` would rebuild the files that other tests use.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await exec('npm', args, { cwd: root })
  const [{ filename, files, size }] = JSON.parse(stdout)
  return { filename, size, files: files.map(({ path }: { path: string }) => path) }
}

/** Installs packages in a folder. @returns what npm printed */
export async function npmInstall(
  cwd: string,
  packages: readonly string[],
  withScripts = false,
): Promise<string> {
  const flags = ['--save-dev', '--prefer-offline', '--no-audit', '--no-fund']
  if (!withScripts) flags.push('--ignore-scripts')
  const { stdout, stderr } = await exec('npm', ['install', ...packages, ...flags], { cwd })
  return stdout + stderr
}
