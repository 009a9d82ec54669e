import { onTestFinished } from 'vitest'
import { connect, createSimulator } from '../../src/index.ts'
import { type ListenOptions, listen } from '../../src/node.ts'
import { freePorts } from './free-port.ts'
import { Client } from './lanes/client.ts'

type ReplicaOptions = NonNullable<ListenOptions['replica']>

export async function startReplica(replica: ReplicaOptions, port = 0) {
  const server = await listen(createSimulator(), { port, replica })
  onTestFinished(() => server.close())
  const { control, ask } = new Client(server.url)
  return { ...server, control, ask, remote: connect(server.url) }
}

/** Starts three replicas that know each other. */
export async function startReplicas() {
  const [first = 0] = await freePorts(4)
  const url = `http://127.0.0.1:${Math.floor(first / 10)}{n}`
  const start = (number: number) =>
    startReplica({ number, of: 3, url }, Number(`${Math.floor(first / 10)}${number}`))
  return Promise.all([start(1), start(2), start(3)])
}
