package annotations

import (
	"net/http"
	"strings"
	"testing"
)

func send(t *testing.T, method, url, key, body string) (status int, count bool) {
	t.Helper()
	request, _ := http.NewRequest(method, url, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	start := make([]byte, 10)
	response.Body.Read(start)
	return response.StatusCode, string(start) == `{"count":7`
}

func TestSandboxStartsWithTheRowsOfTheWorld(t *testing.T) {
	for _, body := range []string{`{"content": "Launch"}`, `{"content": "Größer 🦔"}`} {
		body := body
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			sandbox := newSandbox(t)
			annotations := sandbox.URL + "/api/projects/1/annotations/"

			created, _ := send(t, "POST", annotations, sandbox.Key, body)
			listed, isSeven := send(t, "GET", annotations, sandbox.Key, "")

			if created != 201 || listed != 200 || !isSeven {
				t.Error("expected the row to be the seventh", created, listed)
			}
		})
	}
}
