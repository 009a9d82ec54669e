// `npm start`: sets up, then becomes the server itself.
import { setUp } from './setup.mjs'

await setUp('server')

// npm passes a signal to the shell it started, which dies and leaves the server on its port.
const shell = process.ppid
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM')
}, 250).unref()

await import('../dist/understudy.js')
