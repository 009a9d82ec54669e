// The health check of the image: whether its server answers. A flag precedes its variable, as for the server itself.
import { readFileSync } from 'node:fs'

// The first process of a container has the command line of the server, also behind `docker run --init`.
const [file = '/proc/1/cmdline'] = process.argv.slice(2)
const words = readFileSync(file, 'utf8').split('\0')
const optionOf = (flag, variable) => {
  const index = words.findIndex((word) => word === flag || word.startsWith(`${flag}=`))
  return index < 0 ? process.env[variable] : (words[index].split('=')[1] ?? words[index + 1])
}

const port = optionOf('--port', 'UNDERSTUDY_PORT')
process.exitCode = await fetch(`http://127.0.0.1:${port}/__admin/health`).then(
  ({ ok }) => (ok ? 0 : 1),
  () => 1,
)
