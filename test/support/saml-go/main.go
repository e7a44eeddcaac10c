// A service provider of the Go module crewjam/saml. test/saml/other-service-providers.test.ts says what it is asked.
//
//	saml-go <settings as JSON>
package main

import (
	"bufio"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/beevik/etree"
	"github.com/crewjam/saml"
	"github.com/crewjam/saml/samlsp"
	dsig "github.com/russellhaering/goxmldsig"
)

type settings struct {
	EntityID        string
	Metadata        string
	KeyFile         string
	CertificateFile string
}

type message struct {
	Do         string
	RelayState string
	Fields     map[string]string
}

type answer map[string]any

type provider struct {
	saml.ServiceProvider
	request string
	nameID  string
}

func must[T any](value T, err error) T {
	if err != nil {
		var invalid *saml.InvalidResponseError
		if errors.As(err, &invalid) {
			err = invalid.PrivateErr
		}
		log.Fatal(err)
	}
	return value
}

func open(given settings) *provider {
	pair := must(tls.LoadX509KeyPair(given.CertificateFile, given.KeyFile))
	return &provider{ServiceProvider: saml.ServiceProvider{
		EntityID:          given.EntityID,
		Key:               pair.PrivateKey.(*rsa.PrivateKey),
		Certificate:       must(x509.ParseCertificate(pair.Certificate[0])),
		AcsURL:            *must(url.Parse(given.EntityID + "/acs")),
		SloURL:            *must(url.Parse(given.EntityID + "/slo")),
		IDPMetadata:       must(samlsp.ParseMetadata([]byte(given.Metadata))),
		AuthnNameIDFormat: saml.PersistentNameIDFormat,
		SignatureMethod:   dsig.RSASHA256SignatureMethod,
		LogoutBindings:    []string{saml.HTTPPostBinding},
	}}
}

// form is a message as a browser would send it.
func form(name string, element *etree.Element, action string, relayState string) answer {
	document := etree.NewDocument()
	document.SetRoot(element)
	bytes := must(document.WriteToBytes())
	fields := map[string]string{name: base64.StdEncoding.EncodeToString(bytes)}
	if relayState != "" {
		fields["RelayState"] = relayState
	}
	return answer{"url": action, "fields": fields}
}

func (sp *provider) signOn(asked message) answer {
	place := sp.GetSSOBindingLocation(saml.HTTPRedirectBinding)
	request := must(sp.MakeAuthenticationRequest(place, saml.HTTPRedirectBinding, saml.HTTPPostBinding))
	// In an address, the signature is over the address.
	request.Signature = nil
	sp.request = request.ID
	return answer{"url": must(request.Redirect(asked.RelayState, &sp.ServiceProvider)).String()}
}

func (sp *provider) read(asked message) answer {
	values := url.Values{}
	for name, value := range asked.Fields {
		values.Set(name, value)
	}
	request := must(http.NewRequest("POST", sp.AcsURL.String(), strings.NewReader(values.Encode())))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	must(true, request.ParseForm())
	assertion := must(sp.ParseResponse(request, []string{sp.request}))
	attributes := map[string][]string{}
	for _, statement := range assertion.AttributeStatements {
		for _, attribute := range statement.Attributes {
			for _, value := range attribute.Values {
				attributes[attribute.Name] = append(attributes[attribute.Name], value.Value)
			}
		}
	}
	sp.nameID = assertion.Subject.NameID.Value
	return answer{"nameId": sp.nameID, "attributes": attributes}
}

func (sp *provider) logOut(message) answer {
	place := sp.GetSLOBindingLocation(saml.HTTPPostBinding)
	request := must(sp.MakeLogoutRequest(place, sp.nameID))
	return form("SAMLRequest", request.Element(), place, "")
}

func (sp *provider) finish(asked message) answer {
	must(true, sp.ValidateLogoutResponseForm(asked.Fields["SAMLResponse"]))
	return answer{"isLoggedOut": true}
}

// answer follows a request of the identity provider. The module has no function that checks one.
func (sp *provider) answer(asked message) answer {
	var request saml.LogoutRequest
	must(true, xml.Unmarshal(must(base64.StdEncoding.DecodeString(asked.Fields["SAMLRequest"])), &request))
	place := sp.GetSLOBindingLocation(saml.HTTPPostBinding)
	response := must(sp.MakeLogoutResponse(place, request.ID))
	told := form("SAMLResponse", response.Element(), place, asked.Fields["RelayState"])
	told["isLoggedOut"] = request.NameID.Value == sp.nameID
	return told
}

func say(given answer) {
	fmt.Println(string(must(json.Marshal(given))))
}

func main() {
	var given settings
	must(true, json.Unmarshal([]byte(os.Args[1]), &given))
	sp := open(given)
	say(answer{"metadata": string(must(xml.Marshal(sp.Metadata())))})
	commands := map[string]func(message) answer{
		"signOn": sp.signOn, "read": sp.read, "logOut": sp.logOut, "finish": sp.finish, "answer": sp.answer,
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked message
		must(true, json.Unmarshal(lines.Bytes(), &asked))
		say(commands[asked.Do](asked))
	}
}
