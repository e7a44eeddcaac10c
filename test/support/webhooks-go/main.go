// Verifies requests with the Go package of Standard Webhooks.
//
// Reads one request per line, `{"secret", "headers", "body"}`, and prints `accepted` or `refused` for each.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

type request struct {
	Secret  string
	Headers map[string]string
	Body    string
}

func verify(line []byte) error {
	var sent request
	if err := json.Unmarshal(line, &sent); err != nil {
		log.Fatal(err)
	}
	webhook, err := standardwebhooks.NewWebhook(sent.Secret)
	if err != nil {
		log.Fatal(err)
	}
	headers := http.Header{}
	for name, value := range sent.Headers {
		headers.Set(name, value)
	}
	return webhook.Verify([]byte(sent.Body), headers)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		if verify(lines.Bytes()) == nil {
			fmt.Println("accepted")
		} else {
			fmt.Println("refused")
		}
	}
}
