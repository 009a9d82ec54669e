import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isSupportedMsw, supportedMswVersions } from '../../integrations/browser/msw-version.ts'
import { version } from '../../utils/version.ts'
import { locatePackageJson } from '../init.ts'
import { type Check, fine } from './check.ts'

/** Whether Node is new enough. @param found as in `process.versions.node` */
export function checkNode(found: string): Check {
  const name = 'Node'
  if (isAtLeast(found, 20, 19)) return fine(name, found)
  return { name, outcome: 'failed', found, advice: 'Install Node 20.19 or newer.' }
}

/** Whether the package of the project in a folder is the one that runs here. */
export function checkPackage(folder: string): Check {
  const name = 'understudy-api'
  const file = locatePackageJson(name, folder)
  if (file === null) return fine(name, `${version}; none is installed in this project`)
  const installed = versionIn(file)
  if (installed === version) return fine(name, version)
  return {
    name,
    outcome: 'warning',
    found: `${version} runs, and ${installed} is installed in this project`,
    advice: "Run the project's own: npx understudy.",
  }
}

/** Whether the project in a folder has an MSW that this package works with. */
export function checkMsw(folder: string, node: string): Check {
  const name = 'msw'
  const file = locatePackageJson('msw', folder)
  const cure = 'npm install --save-dev msw@2'
  if (file === null) {
    const advice = `Tests and pages need it, the command line does not: ${cure}.`
    return { name, outcome: 'warning', found: 'none in this project', advice }
  }
  const found = versionIn(file)
  const where = `${found} in ${dirname(file)}`
  if (!isSupportedMsw(found)) {
    return {
      name,
      outcome: 'failed',
      found: where,
      advice: `Install ${supportedMswVersions}: ${cure}.`,
    }
  }
  if (found.startsWith('3.') && !isAtLeast(node, 22, 12)) {
    const advice = `msw 3 needs Node 22.12 or newer: install that, or ${cure}.`
    return { name, outcome: 'failed', found: `${where}, with Node ${node}`, advice }
  }
  return fine(name, where)
}

/** The version in a package.json. */
export function versionIn(file: string): string {
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [own = 0, part = 0] = version.split('.').map(Number)
  return own > major || (own === major && part >= minor)
}
