import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { version } from '../../src/utils/version.ts'

// A page would carry all of package.json for its sake.
test('the version that is written is that of the package', () => {
  expect(version).toBe(packageJson.version)
})
