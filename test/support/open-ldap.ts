/** A real OpenLDAP of the machine, with people, on free ports of its own; `undefined` where it is not installed. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export const hasOpenLdap = existsSync('/usr/sbin/slapd')

export interface OpenLdap {
  readonly plainPort: number
  readonly securePort: number
  /** The authority that signed its certificate, and another one (PEM). */
  readonly ca: string
  readonly otherCa: string
  close(): Promise<void>
}

export const BASE = 'dc=example,dc=com'
export const READER = { dn: `cn=reader,${BASE}`, password: 'canary-reader-password' }

function person(uid: string, lines: readonly string[]): string {
  return [
    `dn: uid=${uid},ou=people,${BASE}`,
    ...['objectClass: inetOrgPerson', `uid: ${uid}`, `cn: ${uid}`, 'sn: Person', ...lines],
  ].join('\n')
}

function peopleOf(referral: string): string {
  return [
    `dn: ${BASE}\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example`,
    `dn: ou=people,${BASE}\nobjectClass: organizationalUnit\nou: people`,
    `dn: ${READER.dn}\nobjectClass: organizationalRole\nobjectClass: simpleSecurityObject\ncn: reader\nuserPassword: ${READER.password}`,
    person('ada', [
      'givenName: Ada',
      'sn: Lovelace',
      'mail: ada@example.com',
      'employeeType: true',
      'userPassword: canary-ada-password',
    ]),
    person('bob', ['mail: shared@example.com', 'userPassword: bob-password']),
    person('carl', ['mail: shared@example.com', 'userPassword: carl-password']),
    person('nopass', ['mail: nopass@example.com']),
    `dn: ou=elsewhere,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: elsewhere\nref: ${referral}/ou=x,${BASE}`,
  ].join('\n\n')
}

function makeCertificates(folder: string): void {
  const openssl = (...args: readonly string[]) => execFileSync('openssl', [...args], { cwd: folder, stdio: 'pipe' })
  const authority = (name: string) =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    )
  authority('ca')
  authority('other')
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    'server.key',
    '-out',
    'server.csr',
  )
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost')
  openssl(
    'x509',
    '-req',
    '-in',
    'server.csr',
    '-CA',
    'ca.pem',
    '-CAkey',
    'ca.key',
    '-days',
    '2',
    '-extfile',
    'names',
    '-out',
    'server.pem',
  )
}

async function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => settle(true)).on('error', () => settle(false))
    socket.on('connect', () => socket.destroy())
  })
}

/** Starts it, with a branch that it refers to another server for. Close it afterwards. */
export async function openLdap(referral = 'ldap://127.0.0.1:1'): Promise<OpenLdap> {
  const folder = mkdtempSync(join(tmpdir(), 'signet-ldap-'))
  mkdirSync(join(folder, 'data'))
  makeCertificates(folder)
  const config = [
    ...['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`),
    ...['modulepath /usr/lib/ldap', 'moduleload back_mdb', `pidfile ${folder}/pid`],
    ...[`TLSCertificateFile ${folder}/server.pem`, `TLSCertificateKeyFile ${folder}/server.key`],
    // Many directories in the field allow it: a bind without a password succeeds.
    ...['allow bind_anon_cred bind_anon_dn', 'database mdb', `suffix "${BASE}"`, `directory ${folder}/data`],
    ...['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read'],
  ].join('\n')
  writeFileSync(join(folder, 'slapd.conf'), `${config}\n`)
  writeFileSync(join(folder, 'people.ldif'), `${peopleOf(referral)}\n`)
  execFileSync('/usr/sbin/slapadd', ['-f', join(folder, 'slapd.conf'), '-l', join(folder, 'people.ldif')], {
    stdio: 'pipe',
  })
  const [plainPort, securePort] = [await freePort(), await freePort()]
  const urls = `ldap://127.0.0.1:${plainPort}/ ldaps://127.0.0.1:${securePort}/`
  const server = spawn('/usr/sbin/slapd', ['-f', join(folder, 'slapd.conf'), '-h', urls, '-d', '0'], {
    stdio: 'ignore',
  })
  const ended = new Promise<void>((settle) => server.on('exit', () => settle()))
  while (server.exitCode === null && !((await isListening(plainPort)) && (await isListening(securePort)))) {
    await new Promise((settle) => setTimeout(settle, 20))
  }
  if (server.exitCode !== null) throw new Error(`slapd ended with ${server.exitCode}`)
  return {
    plainPort,
    securePort,
    ca: readFileSync(join(folder, 'ca.pem'), 'utf8'),
    otherCa: readFileSync(join(folder, 'other.pem'), 'utf8'),
    async close() {
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
