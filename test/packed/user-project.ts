import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { temporaryFolder } from '../support/files.ts'
import { consumerPath } from '../support/packed/consumers.ts'
import { codeBlocks, documents } from '../support/repository/readme.ts'
import { root } from '../support/root.ts'
import { incidentArchive } from '../support/traffic.ts'

const examples = documents.flatMap(codeBlocks).filter(({ language }) => language === 'json')
const [story, ...others] = examples.filter(({ text }) => text.includes('"steps"'))
const [world, ...more] = examples.filter(({ text }) => !text.includes('"steps"'))

/** What the commands of the documents read. The worlds and the scenario are examples of the documents themselves. */
const files: Readonly<Record<string, string>> = {
  'world.json': world?.text ?? '',
  'story.json': story?.text ?? '',
  'run.json': story?.text ?? '',
  'incident.har': incidentArchive(),
  'settings.json': '{"settings": {}, "open": {}}',
  'body.json': '{"content": "Launch"}',
  // The test of the user sends a request. A fault can apply to it.
  'client.mjs': `await fetch(new URL('/api/projects/', process.env.UNDERSTUDY_URL)).catch(Boolean)`,
  'package.json': '{"private": true, "type": "module", "scripts": {"test": "node client.mjs"}}',
}

/** Whether the documents have one world and one scenario. */
export const isComplete = [...others, ...more].length === 0 && world !== undefined

/** Writes what the commands and scripts of the documents read. */
export function writeUserFiles(folder: string): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

/** Creates the folder of a user who has installed the package. It is removed with the test. */
export function createUserProject(context: Pick<TestContext, 'onTestFinished'>): string {
  const folder = temporaryFolder({}, context)
  writeUserFiles(folder)
  const archive = join(root, 'test/adapters/har/archives/playwright.har')
  copyFileSync(archive, join(folder, 'session.har'))
  mkdirSync(join(folder, 'public'))
  symlinkSync(consumerPath({ name: 'reader' }, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
