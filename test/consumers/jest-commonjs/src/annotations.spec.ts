// A service of NestJS in the Jest that `nest new` sets up, with nock for another API.
import type { INestApplication } from '@nestjs/common'
import { Test } from '@nestjs/testing'
import nock from 'nock'
import request from 'supertest'
import { withSimulator } from 'understudy-api/node'
import { AppModule } from './annotations'

let app: INestApplication

beforeAll(async () => {
  nock.disableNetConnect()
  nock.enableNetConnect(/^(127\.0\.0\.1|app\.example\.com)/)
  const module = await Test.createTestingModule({ imports: [AppModule] }).compile()
  app = module.createNestApplication()
  await app.init()
})
afterAll(async () => {
  await app.close()
  nock.restore()
})

test('adds an annotation, and calls another API', () =>
  withSimulator(async ({ simulator }) => {
    const hook = nock('https://chat.example.com').post('/hook', 'Launch').reply(200)
    await request(app.getHttpServer()).post('/notes/1').send({ content: 'Launch' }).expect(201)

    const added = simulator.world.annotations.list().at(-1)
    expect(added).toMatchObject({ content: 'Launch', scope: 'project', project: 1 })
    expect(simulator.journal.mistakes()).toEqual([])
    expect(hook.isDone()).toBe(true)
  }))

test('a test has a world of its own', () =>
  withSimulator({ world: 'empty' }, async () => {
    const { body } = await request(app.getHttpServer()).get('/notes/1').expect(200)
    expect(body).toEqual({ count: 0 })
  }))
