/** gRPC server reflection: tells tools such as grpcurl which services there are and what their messages look like. */
import { createRegistry, type DescFile, type DescService, type Registry, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { file_google_rpc_error_details } from '../../../contract/gen/google/rpc/error_details_pb.ts'
import {
  ServerReflection,
  type ServerReflectionRequest,
  type ServerReflectionResponse,
} from '../../../contract/gen/grpc/reflection/v1/reflection_pb.ts'
import { ServerReflection as EarlierServerReflection } from '../../../contract/gen/grpc/reflection/v1alpha/reflection_pb.ts'
import { file_signet_v1_error_detail } from '../../../contract/gen/signet/v1/error_detail_pb.ts'
import type { StreamMethod } from '../../access/method.ts'
import { STATUS } from './status.ts'

/** No service names the details of errors. */
const ERROR_FILES: readonly DescFile[] = [file_signet_v1_error_detail, file_google_rpc_error_details]

type Answer = ServerReflectionResponse['messageResponse']

/** The files that declare the services, found by name and by what they declare. */
class DeclaredFiles {
  readonly #services: readonly string[]
  readonly #files = new Map<string, DescFile>()
  readonly #registry: Registry
  readonly #bytes = new Map<DescFile, Uint8Array>()

  constructor(services: readonly DescService[]) {
    this.#services = services.map(({ typeName }) => typeName)
    for (const { file } of services) this.#add(file)
    for (const file of ERROR_FILES) this.#add(file)
    this.#registry = createRegistry(...this.#files.values())
  }

  /** Answers one request; files in `sent` are left out, because the client has them. */
  answer({ messageRequest: { case: asked, value } }: ServerReflectionRequest, sent: Set<DescFile>): Answer {
    switch (asked) {
      case 'listServices':
        return listOf(this.#services)
      case 'fileByFilename':
        return this.#filesFor(this.#files.get(value), sent, value)
      case 'fileContainingSymbol':
        return this.#filesFor(this.#fileOfSymbol(value), sent, value)
      case 'fileContainingExtension': {
        const { containingType, extensionNumber } = value
        const found = this.#extensionsOf(containingType).find(({ number }) => number === extensionNumber)
        return this.#filesFor(found?.file, sent, `extension ${extensionNumber} of ${containingType}`)
      }
      case 'allExtensionNumbersOfType': {
        if (this.#registry.getMessage(value) === undefined) return notFound(value)
        const extensionNumber = this.#extensionsOf(value).map(({ number }) => number)
        return {
          case: 'allExtensionNumbersResponse',
          value: { $typeName: 'grpc.reflection.v1.ExtensionNumberResponse', baseTypeName: value, extensionNumber },
        }
      }
      default:
        return errorOf(STATUS.invalid.code, 'The request asks for nothing.')
    }
  }

  #add(file: DescFile): void {
    if (this.#files.has(file.proto.name)) return
    this.#files.set(file.proto.name, file)
    for (const dependency of file.dependencies) this.#add(dependency)
  }

  /** A method, field or value is found in the file of what contains it. */
  #fileOfSymbol(symbol: string): DescFile | undefined {
    const found = this.#registry.get(symbol)
    if (found !== undefined) return found.file
    const dot = symbol.lastIndexOf('.')
    const outer = dot < 0 ? undefined : this.#registry.get(symbol.slice(0, dot))
    if (outer === undefined) return undefined
    const inner = symbol.slice(dot + 1)
    const names: readonly { readonly name: string }[] =
      outer.kind === 'service'
        ? outer.methods
        : outer.kind === 'message'
          ? [...outer.fields, ...outer.oneofs]
          : outer.kind === 'enum'
            ? outer.values
            : []
    return names.some(({ name }) => name === inner) ? outer.file : undefined
  }

  #extensionsOf(typeName: string) {
    return [...this.#registry]
      .filter((one) => one.kind === 'extension')
      .filter((one) => one.extendee.typeName === typeName)
  }

  #filesFor(file: DescFile | undefined, sent: Set<DescFile>, asked: string): Answer {
    if (file === undefined) return notFound(asked)
    const fresh = new Set([file])
    for (const one of fresh) for (const dependency of one.dependencies) fresh.add(dependency)
    const files = [...fresh].filter((one) => one === file || !sent.has(one))
    for (const one of files) sent.add(one)
    return {
      case: 'fileDescriptorResponse',
      value: {
        $typeName: 'grpc.reflection.v1.FileDescriptorResponse',
        fileDescriptorProto: files.map((one) => this.#bytesOf(one)),
      },
    }
  }

  #bytesOf(file: DescFile): Uint8Array {
    let bytes = this.#bytes.get(file)
    if (bytes === undefined) {
      bytes = toBinary(FileDescriptorProtoSchema, file.proto)
      this.#bytes.set(file, bytes)
    }
    return bytes
  }
}

function listOf(services: readonly string[]): Answer {
  const service = services.map((name) => ({ $typeName: 'grpc.reflection.v1.ServiceResponse' as const, name }))
  return {
    case: 'listServicesResponse',
    value: { $typeName: 'grpc.reflection.v1.ListServiceResponse', service },
  }
}

function errorOf(errorCode: number, errorMessage: string): Answer {
  return { case: 'errorResponse', value: { $typeName: 'grpc.reflection.v1.ErrorResponse', errorCode, errorMessage } }
}

function notFound(asked: string): Answer {
  return errorOf(STATUS.not_found.code, `There is no ${asked}.`)
}

/** The reflection service in both versions, which differ in their names alone, for a server of these services. */
export function reflectionMethods(services: readonly DescService[]): readonly StreamMethod[] {
  let files: DeclaredFiles | undefined
  async function* serve(requests: AsyncIterable<unknown>) {
    // Made for the first caller: most servers are never asked.
    files ??= new DeclaredFiles(services)
    const sent = new Set<DescFile>()
    for await (const request of requests as AsyncIterable<ServerReflectionRequest>) {
      const messageResponse = files.answer(request, sent)
      yield [{ validHost: request.host, originalRequest: request, messageResponse }]
    }
  }
  return [ServerReflection, EarlierServerReflection].map(({ method }) => ({
    descriptor: method.serverReflectionInfo,
    serve,
  }))
}
