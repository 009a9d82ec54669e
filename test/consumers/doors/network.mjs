// A network of one server on this machine, behind each host name of the tests. Each request that reaches it left by accident.
import dns from 'node:dns'
import net from 'node:net'

const { lookup } = dns
dns.lookup = (name, ...rest) => lookup(name.endsWith('.example.com') ? '127.0.0.1' : name, ...rest)

/** The first line of what reached the server */
export const reached = []
const server = net.createServer((socket) => {
  reached.push('a connection')
  socket.on('data', (data) => reached.push(String(data).split('\r\n')[0])).on('error', () => {})
  socket.end('HTTP/1.1 418 Left\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
})
await new Promise((resolve) =>
  server.listen(Number(process.env.DOORS_PORT ?? 0), '127.0.0.1', resolve),
)
server.unref()
export const host = `app.example.com:${server.address().port}`
