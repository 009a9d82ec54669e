import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { isSupportedMsw, supportedMswVersions } from '../../src/adapters/msw-version.ts'
import { run } from '../support/cli/command.ts'
import { badUse } from '../support/cli/output.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const installedWorker = readFileSync(`${root}node_modules/msw/lib/mockServiceWorker.js`, 'utf8')
const workerOf = (version: string) => installedWorker.replace(/'2\.15\.0'/, `'${version}'`)

/** A project with a version of MSW, and with a worker file in its public folder. */
function createProject({ msw, worker }: { msw?: string; worker?: string } = {}) {
  const folder = temporaryFolder()
  const publicFolder = join(folder, 'public')
  const file = join(publicFolder, 'mockServiceWorker.js')
  mkdirSync(publicFolder)
  if (worker !== undefined) writeFileSync(file, worker)
  if (msw !== undefined) {
    const installed = join(folder, 'node_modules', 'msw')
    mkdirSync(join(installed, 'lib'), { recursive: true })
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'msw', version: msw }))
    writeFileSync(join(installed, 'lib', 'mockServiceWorker.js'), workerOf(msw))
  }
  return { folder, publicFolder, file }
}

test.each(['present', 'new'])(
  'init copies the worker file of the msw that the project uses, to a %s folder',
  async (state) => {
    const { folder, publicFolder, file } = createProject({ msw: '2.12.3' })
    writeFileSync(join(folder, 'package.json'), '{}')
    if (state === 'new') rmSync(publicFolder, { recursive: true })

    expect(await run(['init', publicFolder])).toEqual({
      code: 0,
      stdout: `Wrote ${file} (msw 2.12.3). A build for production copies it with the folder; only pages that start the simulator load it.\n`,
      stderr: '',
    })
    expect(readFileSync(file, 'utf8')).toBe(workerOf('2.12.3'))
  },
)

test.each([
  ['2.15.0', workerOf('2.15.0')],
  // Before msw 2.4 its version is in a comment.
  ['1.3.2', "/**\n * Mock Service Worker (1.3.2).\n */\n\nconst INTEGRITY_CHECKSUM = '3d6b'\n"],
])('init updates a worker file of msw %s, and leaves a current one', async (old, worker) => {
  const { publicFolder, file } = createProject({ msw: '3.0.5', worker })

  const [first, second] = [await run(['init', publicFolder]), await run(['init', publicFolder])]

  expect([first.stdout, second.stdout]).toEqual([
    `Updated ${file} from msw ${old} to msw 3.0.5.\n`,
    `${file} is up to date (msw 3.0.5).\n`,
  ])
  expect(readFileSync(file, 'utf8')).toBe(workerOf('3.0.5'))
})

test.each([
  ["is not MSW's worker file", "self.addEventListener('fetch', cache)\n"],
  ["is not MSW's worker file", "const PACKAGE_VERSION = '2.4.1'\n"],
  ['is the worker file of msw 2.15.0 with changes', `${installedWorker}// mine\n`],
])('init does not replace a file that %s', async (reason, worker) => {
  const { publicFolder, file } = createProject({ msw: '2.15.0', worker })

  expect(await run(['init', publicFolder])).toEqual(
    badUse(`${file} ${reason}, and was not replaced. Move it away and try again.\n`),
  )
  expect(readFileSync(file, 'utf8')).toBe(worker)
})

test('line ends that Git changed do not count as changes', async () => {
  const worker = installedWorker.replaceAll('\n', '\r\n')
  const { publicFolder } = createProject({ msw: '2.15.0', worker })

  expect((await run(['init', publicFolder])).code).toBe(0)
})

test.each([
  ['does not exist', 'nope'],
  ['is not a folder', 'public/mockServiceWorker.js'],
])('init writes nothing to a path that %s', async (problem, path) => {
  const { folder } = createProject({ msw: '2.15.0', worker: installedWorker })
  const named = join(folder, path)

  expect(await run(['init', named])).toEqual(
    badUse(
      `${named} ${problem}. Create the folder, or name the one that your pages are served from.\n`,
    ),
  )
  expect(existsSync(join(folder, 'nope'))).toBe(false)
})

test('init refuses an unsupported version of msw, and names its folder', async () => {
  const { folder, publicFolder, file } = createProject({ msw: '2.11.6' })

  const { code, stderr } = await run(['init', publicFolder])

  expect([code, stderr]).toEqual([
    2,
    `msw 2.11.6 in ${join(folder, 'node_modules', 'msw')} is not supported: expected ${supportedMswVersions}. Run npm install --save-dev msw@2 there.\n`,
  ])
  expect(existsSync(file)).toBe(false)
})

test('init says how to install msw in a project without it', async () => {
  const { folder, publicFolder } = createProject()

  vi.spyOn(process, 'cwd').mockReturnValue(folder)

  expect(await run(['init', publicFolder])).toEqual(
    badUse(
      `msw is not installed in the project of ${publicFolder}. Run npm install --save-dev msw@2 there.\n`,
    ),
  )
})

test('the supported versions are the peer dependency of the package', () => {
  const versions = ['1.3.2', '2.11.6', '2.12.0', '2.15.0', '3.0.0', '3.4.1', '4.0.0']

  expect(versions.filter(isSupportedMsw)).toEqual(['2.12.0', '2.15.0', '3.0.0', '3.4.1'])
  expect([packageJson.peerDependencies.msw, supportedMswVersions]).toEqual([
    '^2.12.0 || ^3.0.0',
    '2.12 or newer, or 3',
  ])
})
