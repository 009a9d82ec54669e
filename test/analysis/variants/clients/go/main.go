// Clients in Go with net/http. The first argument names one.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

var (
	origin      = os.Getenv("UNDERSTUDY_URL")
	annotations = origin + "/api/projects/" + os.Getenv("UNDERSTUDY_PROJECT_ID") + "/annotations/"
	plugins     = origin + "/api/organizations/" + os.Getenv("UNDERSTUDY_ORGANIZATION_ID") + "/plugins/"
)

var clients = map[string]func(){
	"disallows_unknown_fields": disallowsUnknownFields,
	"ids_of_32_bits":           idsOf32Bits,
	"parses_times":             parsesTimes,
	"layout_with_z":            layoutWithZ,
	"domain_of_author":         domainOfAuthor,
	"tolerant_pager":           tolerantPager,
	"color_of_hedgehog":        colorOfHedgehog,
	"limit_of_1000":            limitOf1000,
	"expects_401":              expects401,
	"expects_403":              expects403,
	"newest_first":             newestFirst,
	"fields_of_config":         fieldsOfConfig,
	"restores":                 restores,
}

func main() {
	client, isKnown := clients[os.Args[1]]
	if !isKnown {
		panic("no such client")
	}
	client()
}

// send returns the response, whatever its status.
func send(method, url, key, body string) *http.Response {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	must(err)
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(err)
	return response
}

// call decodes the body of a success.
func call(method, url, body string, result any) {
	response := send(method, url, os.Getenv("UNDERSTUDY_KEY"), body)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	must(err)
	if response.StatusCode >= 300 {
		panic(response.Status)
	}
	must(json.Unmarshal(text, result))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func check(condition bool, what string) {
	if !condition {
		panic(fmt.Sprintf("expected %s", what))
	}
}
