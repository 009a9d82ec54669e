// Writes the clients that four generators make of the documents of the package.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const document = 'openapi.json'
const names = {
  documented: 'openapi.json',
  live: 'openapi.live.json',
  admin: 'openapi.admin.json',
}
for (const [name, file] of Object.entries(names)) {
  const output = `generated/${name}`
  copyFileSync(fileURLToPath(import.meta.resolve(`understudy-api/${file}`)), document)
  run('openapi-typescript', [document, '-o', `${output}/openapi-typescript.d.ts`])
  run('openapi-ts', ['-i', document, '-o', `${output}/hey-api`, '--no-log-file'])
  run('orval', ['--config', 'orval.config.ts'], output)
  run('kubb', ['generate', '--config', 'kubb.config.ts'], output)
}

function run(name, args, output = '') {
  const { status, stdout, stderr } = spawnSync(join('node_modules', '.bin', name), args, {
    encoding: 'utf8',
    env: { ...process.env, OUTPUT: output },
  })
  if (status === 0) return
  console.error(`${name} failed:\n${stdout}${stderr}`)
  process.exit(1)
}
