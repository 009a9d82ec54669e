package annotations

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func send(t *testing.T, method, url, key, body string) (row struct{ Count int }) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+key)
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode >= 300 {
		t.Fatal(response, err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&row); err != nil {
		t.Fatal(err)
	}
	return row
}

func TestSandboxStartsWithTheRowsOfTheWorld(t *testing.T) {
	for _, body := range []string{`{"content": "Launch"}`, `{"content": "Größer 🦔"}`} {
		body := body
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			url, key := newSandbox(t)
			annotations := url + "/api/projects/1/annotations/"

			send(t, "POST", annotations, key, body)
			page := send(t, "GET", annotations, key, "")

			if page.Count != 7 {
				t.Errorf("expected 7 annotations, got %d", page.Count)
			}
		})
	}
}
