/** The fixtures of docs/guides/test-your-app.md for pytest, Go and JUnit, in projects of their own, with the `signet` of this checkout. */
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { documented } from '../support/documented.ts'
import { withoutRegistry } from './row.ts'

const PAGE = 'docs/guides/test-your-app.md'
const signet = fileURLToPath(new URL('../../bin/signet', import.meta.url))
const options = { timeout: 900_000 }

interface Fixture {
  readonly needs: string
  readonly registry: string
  readonly code: string
  readonly files: Readonly<Record<string, string>>
  readonly lines: readonly string[]
  /** What is printed when two tests have passed. */
  readonly passed: RegExp
}

const python = documented(PAGE, 'python', 'pytest.fixture')
const go = documented(PAGE, 'go', 'TestMain')
const java = documented(PAGE, 'java', 'BeforeAllCallback')

const FIXTURES: Readonly<Record<string, Fixture>> = {
  pytest: {
    needs: 'python3',
    registry: 'https://pypi.org/simple/pytest/',
    code: python,
    files: {
      'conftest.py': python,
      'test_app.py': `import json
from urllib.request import Request, urlopen


def test_serves(signet):
    with urlopen(signet["url"] + "/.well-known/openid-configuration") as answer:
        assert json.load(answer)["issuer"] == signet["url"]


def test_knows_its_administrator(signet):
    headers = {"Authorization": "Bearer " + signet["adminToken"], "Content-Type": "application/json"}
    with urlopen(Request(signet["url"] + "/v2/users", b"{}", headers)) as answer:
        assert len(json.load(answer)["result"]) == 3
`,
    },
    lines: ['python3 -m venv .venv', '.venv/bin/pip install -q pytest', '.venv/bin/pytest'],
    passed: /2 passed/,
  },
  'go test': {
    needs: 'go',
    registry: 'https://proxy.golang.org/',
    code: go,
    files: {
      'main_test.go': go,
      'app_test.go': `package app

import (
	"net/http"
	"strings"
	"testing"
)

func TestServes(t *testing.T) {
	if answer, err := http.Get(signet.URL + "/.well-known/openid-configuration"); err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
}

func TestKnowsItsAdministrator(t *testing.T) {
	request, _ := http.NewRequest("POST", signet.URL+"/v2/users", strings.NewReader("{}"))
	request.Header.Set("Authorization", "Bearer "+signet.AdminToken)
	request.Header.Set("Content-Type", "application/json")
	if answer, err := http.DefaultClient.Do(request); err != nil || answer.StatusCode != 200 {
		t.Fatal(answer, err)
	}
}
`,
    },
    lines: ['go mod init app', 'go test -v ./...'],
    passed: /PASS: TestServes.*PASS: TestKnowsItsAdministrator.*\nok /s,
  },
  JUnit: {
    needs: 'mvn',
    registry: 'https://repo.maven.apache.org/maven2/org/junit/jupiter/junit-jupiter/maven-metadata.xml',
    code: java,
    files: {
      'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>app</groupId><artifactId>app</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.13.4</version></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.4</version></plugin></plugins></build>
</project>
`,
      'src/test/java/Signet.java': java,
      'src/test/java/AppTest.java': `import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Signet.class)
class AppTest {
    final HttpClient client = HttpClient.newHttpClient();

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(Signet.SIGNET.getProperty("url") + path));
    }

    @Test
    void serves() throws Exception {
        var answer = client.send(request("/.well-known/openid-configuration").build(), BodyHandlers.ofString());
        assertEquals(200, answer.statusCode());
    }

    @Test
    void knowsItsAdministrator() throws Exception {
        var asked = request("/v2/users").header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + Signet.SIGNET.getProperty("adminToken"))
                .POST(BodyPublishers.ofString("{}")).build();
        assertEquals(200, client.send(asked, BodyHandlers.ofString()).statusCode());
    }
}
`,
    },
    lines: ['mvn -B -ntp test'],
    passed: /Tests run: 2, Failures: 0, Errors: 0, Skipped: 0/,
  },
}

suite('a fixture of the documentation', options, () => {
  for (const [name, { needs, registry, code, files, lines, passed }] of Object.entries(FIXTURES)) {
    test(`for ${name} starts a server, which ends with the tests`, options, async (t) => {
      assert.ok(
        code
          .trim()
          .split('\n')
          .filter((line) => !/^(import|\t"|\)|from|package|$)/.test(line)).length <= 25,
      )
      if (spawnSync('sh', ['-c', `command -v ${needs}`]).status !== 0)
        return t.skip(`there is no ${needs} on this machine`)
      const missing = await withoutRegistry(registry)
      if (missing !== false) return t.skip(missing)
      const folder = mkdtempSync(join(tmpdir(), 'signet-fixture-'))
      try {
        for (const [file, text] of Object.entries(files)) {
          mkdirSync(dirname(join(folder, file)), { recursive: true })
          writeFileSync(join(folder, file), text)
        }
        mkdirSync(join(folder, 'bin'))
        symlinkSync(signet, join(folder, 'bin/signet'))
        const own = mkdtempSync(join(folder, 'tmp-'))
        const path = [join(folder, 'bin'), process.env.PATH].join(delimiter)
        const inherited = Object.entries(process.env).filter(([one]) => !/^(SIGNET_|NODE_TEST)/.test(one))
        const env = { ...Object.fromEntries(inherited), PATH: path, TMPDIR: own }
        const output = await new Promise<string>((resolve) => {
          execFile('bash', ['-ec', lines.join('\n')], { cwd: folder, env, encoding: 'utf8' }, (_, out, err) =>
            resolve(out + err),
          )
        })
        assert.match(output, passed)
        // Each ends by itself, and removes what it has written.
        for (let tries = 0; globSync(join(own, 'signet-test-server-*')).length > 0; tries++) {
          assert.ok(tries < 200, 'the server does not end')
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      } finally {
        spawnSync('chmod', ['-R', 'u+w', folder])
        rmSync(folder, { recursive: true, force: true })
      }
    })
  }
})
