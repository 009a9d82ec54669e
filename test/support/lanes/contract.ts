import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import express, { type Application, type NextFunction, type Request, type Response } from 'express'
import { middleware } from 'express-openapi-validator'
import type { OpenApiDocument } from '../../../src/adapters/openapi/document.ts'

type Options = Parameters<typeof middleware>[0]

/** A request with its answer, as both were on the wire. */
export interface HttpExchange {
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** As it was read; undefined for none. */
  readonly requestBody: unknown
  readonly status: number
  readonly contentType: string | null
  /** As it was read; undefined for none. */
  readonly body: unknown
}

/** What a document does not have. */
export interface Violation {
  /** 404 and 405 for a path and a method that are none of its operations. */
  readonly status: number
  readonly message: string
}

interface DescribedResponse {
  readonly $ref?: string
  readonly content?: object
}

/** An exchange on its way through the validator. */
interface Passing extends Request {
  readonly exchange: HttpExchange
  /** The operation that the validator found. */
  readonly openapi: {
    readonly schema: {
      readonly responses: Readonly<Record<string, DescribedResponse | undefined>>
    }
  }
  readonly done: (violation: Violation | null) => void
}

/**
 * express-openapi-validator between a client and a server: it sees each request and each answer, and says what a
 * document does not have.
 */
export class Contract {
  readonly #requests: Application
  readonly #answers: Application

  constructor(document: OpenApiDocument) {
    this.#requests = application(document, { validateResponses: false }, ({ done }) => done(null))
    this.#answers = application(
      document,
      { validateRequests: false, validateSecurity: false, validateResponses: true },
      ({ exchange, done, openapi }, expressResponse) => {
        const { status, contentType } = exchange
        const described = openapi.schema.responses[status]
        const shared = described?.$ref?.split('/').at(-1)
        const response: DescribedResponse | undefined =
          shared === undefined ? described : document.components.responses?.[shared]
        const declared = response?.content
        if (contentType && !contentType.startsWith('application/json') && declared) {
          const message = `response of the undescribed type ${contentType}`
          return done(contentType in declared ? null : { status: 500, message })
        }
        expressResponse.status(exchange.status)
        if (exchange.contentType) expressResponse.type(exchange.contentType)
        expressResponse.json(exchange.body)
        // Where there is a violation, it was told by now.
        done(null)
      },
    )
  }

  /** What is wrong with a request; null where the document has it. */
  findRequestViolation(exchange: HttpExchange): Promise<Violation | null> {
    return passed(this.#requests, exchange)
  }

  /** What is wrong with an answer; null where the document has it. */
  findResponseViolation(exchange: HttpExchange): Promise<Violation | null> {
    return passed(this.#answers, exchange)
  }
}

function application(
  document: OpenApiDocument,
  options: Omit<Options, 'apiSpec'>,
  answer: (passing: Passing, response: Response) => void,
): Application {
  // The validator writes on in what it is given.
  const apiSpec = structuredClone(document) as unknown as Exclude<Options['apiSpec'], string>
  return express()
    .enable('case sensitive routing')
    .use(
      ...middleware({
        validateRequests: { allowUnknownQueryParameters: true },
        ...options,
        apiSpec,
        fileUploader: false,
        // Redocly has seen to that, in test/tools/openapi.test.ts.
        validateApiSpec: false,
      }),
    )
    .use((request, response) => answer(request as Passing, response))
    .use((error: Violation, request: Request, _response: Response, _next: NextFunction) =>
      (request as Passing).done(error),
    )
}

/** Without a socket: nobody reads what is written. */
function passed(app: Application, exchange: HttpExchange): Promise<Violation | null> {
  const { method, target, requestHeaders, requestBody } = exchange
  return new Promise((done) => {
    const request = Object.assign(new IncomingMessage(new Socket()), {
      method,
      url: target,
      headers: requestHeaders,
      body: requestBody,
      exchange,
      done,
    })
    app(request as unknown as Request, new ServerResponse(request) as unknown as Response)
  })
}
