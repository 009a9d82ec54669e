// A module of CommonJS: Node 20.19 and newer can require what is written in ES modules.
import assert = require('node:assert')
import test = require('node:test')
import understudy = require('understudy-api')
import node = require('understudy-api/node')

test('what is required is what others import', async () => {
  const simulator = understudy.createSimulator({ world: 'empty' })
  const imported = await import('understudy-api')
  const server = await node.listen(simulator)
  await server.close()

  assert.equal(imported.createSimulator, understudy.createSimulator)
  assert.equal(simulator.world.annotations.count, 0)
})
