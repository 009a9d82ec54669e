import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkMsw } from '../../../src/integrations/testing/msw-version.ts'
import { temporaryFolder } from '../../support/files.ts'

test('msw 3 is refused on a Node that it does not support', () => {
  const folder = temporaryFolder()
  const install = (version: string) => {
    mkdirSync(join(folder, 'node_modules', 'msw'), { recursive: true })
    const text = JSON.stringify({ name: 'msw', version })
    writeFileSync(join(folder, 'node_modules', 'msw', 'package.json'), text)
    return join(folder, 'test.js')
  }

  expect(() => checkMsw(install('2.15.0'), {})).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), { withResolvers() {} })).not.toThrow()
  expect(() => checkMsw(install('3.0.5'), {})).toThrow(
    `msw 3.0.5 needs Node 22 or newer, and this is Node ${process.versions.node}. Update Node, or install msw 2: npm install --save-dev msw@2`,
  )
})
