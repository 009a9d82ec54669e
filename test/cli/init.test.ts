import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { isSupportedMsw, supportedMswVersions } from '../../src/integrations/browser/msw-version.ts'
import { run } from '../support/cli/command.ts'
import { temporaryFolder } from '../support/files.ts'
import { root } from '../support/root.ts'

const worker = readFileSync(
  join(root, 'node_modules', 'msw', 'lib', 'mockServiceWorker.js'),
  'utf8',
)
const of = (version: string) => worker.replace(/'2\.15\.0'/, `'${version}'`)

/** A project that has a version of MSW, and its folder that is served. */
function project({ msw, found }: { msw?: string; found?: string } = {}) {
  const folder = temporaryFolder()
  const shown = join(folder, 'public')
  const file = join(shown, 'mockServiceWorker.js')
  mkdirSync(shown)
  if (found !== undefined) writeFileSync(file, found)
  if (msw !== undefined) {
    const installed = join(folder, 'node_modules', 'msw')
    mkdirSync(join(installed, 'lib'), { recursive: true })
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ name: 'msw', version: msw }))
    writeFileSync(join(installed, 'lib', 'mockServiceWorker.js'), of(msw))
  }
  return { folder, shown, file }
}

test('the worker file is that of the msw which the project uses, not of another one', async () => {
  const { shown, file } = project({ msw: '2.12.3' })

  expect(await run(['init', shown])).toEqual({
    code: 0,
    stdout: `Wrote ${file}, of msw 2.12.3.\n`,
    stderr: '',
  })
  expect(readFileSync(file, 'utf8')).toBe(of('2.12.3'))
})

test('an old one is updated, and one that is as new is let be', async () => {
  const { shown, file } = project({ msw: '3.0.5', found: of('2.15.0') })

  const [first, second] = [await run(['init', shown]), await run(['init', shown])]

  expect([first.stdout, second.stdout]).toEqual([
    `Updated ${file} from msw 2.15.0 to msw 3.0.5.\n`,
    `${file} is already that of msw 3.0.5.\n`,
  ])
  expect(readFileSync(file, 'utf8')).toBe(of('3.0.5'))
})

test('one from before 2.4, which tells its version in a comment, is updated as well', async () => {
  const old = "/**\n * Mock Service Worker (1.3.2).\n */\n\nconst INTEGRITY_CHECKSUM = '3d6b'\n"
  const { shown, file } = project({ msw: '2.15.0', found: old })

  expect((await run(['init', shown])).stdout).toBe(
    `Updated ${file} from msw 1.3.2 to msw 2.15.0.\n`,
  )
})

test.each([
  ['another one', "self.addEventListener('fetch', cache)\n"],
  ['one of msw 2.15.0 that was changed', `${worker}// mine\n`],
])('a file of that name which is %s stays', async (got, found) => {
  const { shown, file } = project({ msw: '2.15.0', found })

  expect(await run(['init', shown])).toEqual({
    code: 2,
    stdout: '',
    stderr:
      `Failed to write ${file}: expected no file, or MSW's worker as it comes, got ${got}. ` +
      'It was left as it is: move it away, and try again.\n',
  })
  expect(readFileSync(file, 'utf8')).toBe(found)
})

test('line ends that Git changed are no change', async () => {
  const { shown } = project({ msw: '2.15.0', found: worker.replaceAll('\n', '\r\n') })

  expect((await run(['init', shown])).code).toBe(0)
})

test('a folder that is not there is not made', async () => {
  const { folder } = project({ msw: '2.15.0' })
  const misspelt = join(folder, 'pubilc')

  const { code, stderr } = await run(['init', misspelt])

  expect([code, stderr]).toEqual([
    2,
    `Failed to write the worker file: expected a folder, got ${misspelt}, which is not there. ` +
      'Name the folder that your pages are served from, such as public, or make it first.\n',
  ])
  expect(existsSync(misspelt)).toBe(false)
})

test('an msw out of range is refused, with its place', async () => {
  const { folder, shown, file } = project({ msw: '2.11.6' })

  const { code, stderr } = await run(['init', shown])

  expect([code, stderr]).toEqual([
    2,
    'Failed to take the worker file of msw: expected 2.12 or newer, or 3, got 2.11.6 in ' +
      `${join(folder, 'node_modules', 'msw')}. Run npm install --save-dev msw@2 there.\n`,
  ])
  expect(existsSync(file)).toBe(false)
})

test('a project without msw is told to install it', async () => {
  const { folder, shown } = project()

  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())

  expect(await run(['init', shown])).toEqual({
    code: 2,
    stdout: '',
    stderr: `Failed to find the worker file: expected msw in the project of ${shown}, got none. Run npm install --save-dev msw@2 there.\n`,
  })
})

test('the range is the one that npm is told', () => {
  const versions = ['1.3.2', '2.11.6', '2.12.0', '2.15.0', '3.0.0', '3.4.1', '4.0.0']

  expect(versions.filter(isSupportedMsw)).toEqual(['2.12.0', '2.15.0', '3.0.0', '3.4.1'])
  expect([packageJson.peerDependencies.msw, supportedMswVersions]).toEqual([
    '^2.12.0 || ^3.0.0',
    '2.12 or newer, or 3',
  ])
})
